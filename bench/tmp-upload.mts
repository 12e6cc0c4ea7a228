import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import { once } from 'node:events'
const start = async (file: string) => {
  const p = fork(file, { execArgv: file.endsWith('.mjs') ? [] : ['--import', 'tsx'] })
  const [m] = (await once(p, 'message')) as any
  return { p, port: m.port }
}
const clip = readFileSync('fixtures/media/clip.mp4')
const png = readFileSync('fixtures/media/first-frame.png')
const size = 10 * 2 ** 20
const mp4 = () => { const b = Buffer.alloc(size - clip.length, 7); b.writeUInt32BE(b.length, 0); b.write('free', 4); randomBytes(8).copy(b, 100); return Buffer.concat([clip, b]) }
const body = () => { const f = mp4(); return Buffer.concat([Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n'), f, Buffer.from('\r\n--XX--\r\n')]) }
const agent = new http.Agent({ keepAlive: true })
const send = (port: number, b: Buffer) => new Promise<void>((ok, no) => {
  const r = http.request({ port, host: '127.0.0.1', agent, method: 'POST', path: '/v1/asset/upload', headers: { authorization: 'k', 'content-type': 'multipart/form-data; boundary=XX', 'content-length': b.length } }, (res) => { let t=''; res.on('data', (d) => t += d); res.on('end', () => res.statusCode === 200 ? ok() : no(new Error(t))) })
  r.on('error', no); r.end(b)
})
const run = async (port: number, n: number, c: number) => {
  const bodies = Array.from({ length: n }, body)
  const t = performance.now()
  await Promise.all(Array.from({ length: c }, async () => { for (let b = bodies.pop(); b; b = bodies.pop()) await send(port, b) }))
  return (n * size) / 2 ** 20 / ((performance.now() - t) / 1000)
}
const a = await start('bench/tmp-bare-upload.mjs'), e = await start('bench/tmp-emu-upload.mts')
for (const s of [a, e]) await run(s.port, 5, 1)
for (const c of [1, 4]) {
  const rs: number[] = []
  for (let i = 0; i < 5; i++) { const x = await run(a.port, 16, c), y = await run(e.port, 16, c); rs.push(y / x); console.log(c, x.toFixed(0), y.toFixed(0), (y / x).toFixed(2)) }
  console.log('median', c, rs.sort()[2]!.toFixed(2))
}
a.p.kill(); e.p.kill()
await new Promise((r) => setTimeout(r, 500))
process.exit(0)
