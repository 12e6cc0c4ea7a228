import { createHash } from 'node:crypto'

/** What templates of the chart may use: values by their path, conditions, a loop over a map, and a few functions. */
type Scope = Readonly<Record<string, unknown>>

/** Renders a template of the chart, as far as the chart uses the language of Helm's templates. @throws where it uses more */
export const renderTemplate = (text: string, scope: Scope): string => {
  const parts = text.split(/(\s*\{\{-.*?\}\}|\{\{.*?\}\})/)
  let at = 0
  const block = (isShown: boolean, local: Scope): string => {
    let out = ''
    for (; at < parts.length; at += 1) {
      const part = parts[at] ?? ''
      const code = /^\s*\{\{-? ?(.*?) ?-?\}\}$/.exec(part)?.[1]
      if (code === 'end') return out
      if (code !== undefined) out += action(code, isShown, local)
      else if (isShown) out += part
    }
    return out
  }
  const action = (code: string, isShown: boolean, local: Scope): string => {
    if (code.startsWith('range ')) return loop(code, isShown, local)
    if (!code.startsWith('if ')) return isShown ? String(evaluate(code, local)) : ''
    at += 1
    return block(isShown && isTrue(evaluate(code.slice(3), local)), local)
  }
  const loop = (code: string, isShown: boolean, local: Scope): string => {
    const [, path = ''] = /^range \$name, \$value := (\S+)$/.exec(code) ?? []
    const begin = at + 1
    let out = ''
    const entries = Object.entries(evaluate(path, local) as object)
    for (const [$name, $value] of entries.length === 0 ? [['', '']] : entries) {
      at = begin
      const turn = block(isShown, { ...local, $name, $value })
      if (entries.length > 0) out += turn
    }
    return out
  }
  return block(true, scope)
}

const isTrue = (value: unknown): boolean =>
  value !== '' && value !== false && value !== undefined && value !== 0

const evaluate = (code: string, scope: Scope): unknown => {
  const [expression = '', ...pipes] = code.split(' | ')
  let value = called(wordsIn(expression), scope)
  for (const pipe of pipes) {
    if (pipe === 'quote') value = JSON.stringify(String(value))
    else if (pipe === 'sha256sum') value = createHash('sha256').update(String(value)).digest('hex')
    else throw new Error(`The tests know no function ${pipe}.`)
  }
  return value
}

const wordsIn = (expression: string): string[] => expression.match(/\(.*?\)|"[^"]*"|\S+/g) ?? []

const called = ([name = '', ...given]: string[], scope: Scope): unknown => {
  const values = given.map((word) =>
    called(word.startsWith('(') ? wordsIn(word.slice(1, -1)) : [word], scope),
  )
  if (name === 'and') return values.every(isTrue)
  if (name === 'not') return !isTrue(values[0])
  if (name === 'toJson') return JSON.stringify(values[0])
  if (name === 'printf')
    return values.slice(1).reduce<string>((text, one) => text.replace('%s', String(one)), String(values[0]))
  if (name.startsWith('"')) return JSON.parse(name)
  if (!/^[.$][\w.]+$/.test(name)) throw new Error(`The tests know no function ${name}.`)
  if (name.startsWith('$')) return scope[name]
  return name
    .slice(1)
    .split('.')
    .reduce<unknown>((found, part) => (found as Scope | undefined)?.[part], scope)
}
