import { readdirSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { expect, test } from 'vitest'
import { collections } from './collections.js'

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

const isOfTheServer = (path: string): boolean =>
  !/^(cli|command|real-service|recording|traffic|testing|generated|ui)\/|^resilience\/.*command\.ts$/.test(
    path,
  )

const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts') && isOfTheServer(path))
  .filter((path) => /\bnew (Map|Set|LRUCache)\b/.test(withoutComments(readFileSync(`src/${path}`, 'utf8'))))

const isExplained = (path: string): boolean =>
  Object.keys(collections).some((name) => path === name || (name.endsWith('/') && path.startsWith(name)))

test('collections.ts names for every collection what bounds it', () =>
  expect(found.filter((path) => !isExplained(path))).toEqual([]))
