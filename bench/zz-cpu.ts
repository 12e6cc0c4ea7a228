import autocannon from 'autocannon'
import { readFileSync, writeFileSync } from 'node:fs'
import { startProcess } from '/work/main/bench/process.js'
const selectors: readonly object[] = [ { nth: 1_000_000_000 },{ model: 'videoa-2-0-fast-260128' },{ prompt: { contains: 'a storm at sea' } },{ from: '30d' },{ account: 'somebody-else' } ]
writeFileSync('/tmp/fifty.json', JSON.stringify({ name: 'x', says: 'y', steps: Array.from({length:50},(_, i)=>({when:{operation:'b-video-task.*',...selectors[i%5]},then:{answer:{status:500}}})) }))
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`,'utf8').split(') ')[1]!.split(' '); return Number(f[11])+Number(f[12]) }
const TASKS = '/provB/api/v3/contents/generations/tasks'
const task = JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'A lighthouse in the fog' }] })
const start = (...a: string[]) => startProcess(['dist/cli.js','start','--port','0','--json','--quiet',...a])
const [p, q] = [await start(), await start('--scenario','/tmp/fifty.json')]
const ids: Record<string,string> = {}
for (const s of [p,q]) { const r = await fetch(s.url+TASKS,{method:'POST',headers:{authorization:'Bearer bench'},body:task}); ids[s.url] = (await r.json() as any).id }
const N = 12000
const run = async (s: typeof p, kind: 'create'|'query') => { const before = cpu(s.pid); await autocannon({ url: s.url + TASKS + (kind==='query'?'/'+ids[s.url]:''), method: kind==='create'?'POST':'GET', connections: 16, amount: N, headers:{authorization:'Bearer bench','content-type':'application/json'}, ...(kind==='create'?{body:task}:{}) } as any); return (cpu(s.pid)-before)*10000/N }
for (const kind of ['create','query'] as const) { const ratios: number[] = []; for (let r=0;r<9;r++){ const a = await run(p,kind); const b = await run(q,kind); ratios.push(b/a-1); console.log(kind, a.toFixed(1), b.toFixed(1), ((b/a-1)*100).toFixed(1)) } ratios.sort((a,b)=>a-b); console.log(kind,'median', (ratios[4]!*100).toFixed(1)+'%') }
await Promise.all([p.stop(), q.stop()])
