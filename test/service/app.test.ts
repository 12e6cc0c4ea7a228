import { expect, test } from 'vitest'
import { originForm } from '../../src/service/app.js'

test.each([
  ['/v1/videos?x=1', '/v1/videos?x=1'],
  ['http://127.0.0.1:4010/v1/videos?x=http://y/', '/v1/videos?x=http://y/'],
  ['HTTPS://backlot.test/v1/videos', '/v1/videos'],
  ['http://backlot.test', '/'],
  ['http://backlot.test?x=1', '/?x=1'],
  ['//backlot.test/v1/videos', '//backlot.test/v1/videos'],
  ['ftp://backlot.test/v1/videos', 'ftp://backlot.test/v1/videos'],
  ['*', '*'],
  ['', ''],
])('%s asks for %s', (target, path) => expect(originForm(target)).toBe(path))
