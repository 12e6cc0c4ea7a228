import { hash } from '../emulator/surface/records.js'

const script = (text: string) => ({ text, sha: hash('sha1', text, 'hex') })

/** Maximum number of notes of an entry. Note i of entry n has the number n × this + i in the stream of notes. */
export const MAX_NOTES_OF_ENTRY = 256

/**
 * Append of an entry. XADD with an explicit id is the compare-and-set: it refuses an id that is not above the last one. An
 * entry of an epoch that has expired is refused too: the epoch is the fencing token. The rest follows only where it was added:
 * with it the account is listed, by the time of its opening, or no longer. Keys: log, due, state, notes, epoch, name of the
 * account id, list of accounts.
 * Arguments: id, account, due (`-` removes it, empty leaves it), milliseconds until the account expires, number of notes to
 * keep, `1` where the account begins anew, `-` where it is forgotten, the entry, and its notes, one a line: each argument of
 * its own would cost the client as much as kilobytes of text.
 */
export const appendScript = script(`
if redis.call('GET', KEYS[5]) ~= string.match(ARGV[1], '^%d+') then return 0 end
local added = redis.pcall('XADD', KEYS[1], ARGV[1], 'b', ARGV[7])
if type(added) == 'table' and added.err then
  if string.find(added.err, 'equal or smaller') then return 0 end
  return added
end
if ARGV[3] == '-' then redis.call('ZREM', KEYS[2], ARGV[2])
elseif ARGV[3] ~= '' then redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2]) end
if ARGV[6] ~= '' then redis.call('XTRIM', KEYS[4], 'MAXLEN', 0) end
local epoch, n = string.match(ARGV[1], '^(%d+)-(%d+)$')
if ARGV[6] ~= '-' then
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[7], 'NX', time[1] .. string.format('%06d', time[2]), ARGV[2])
  redis.call('SET', KEYS[6], ARGV[2], 'NX')
else
  redis.call('ZREM', KEYS[7], ARGV[2])
  if redis.call('GET', KEYS[6]) == ARGV[2] then redis.call('DEL', KEYS[6]) end
end
local number = n * ${MAX_NOTES_OF_ENTRY}
for note in string.gmatch(ARGV[8], '[^\\n]+') do
  redis.pcall('XADD', KEYS[4], 'MAXLEN', '~', ARGV[5], epoch .. '-' .. string.format('%d', number), 'c', note)
  number = number + 1
end
for _, key in ipairs({KEYS[1], KEYS[3], KEYS[4], KEYS[5], KEYS[6]}) do redis.call('PEXPIRE', key, ARGV[4]) end
return 1`)

/**
 * Fold of entries into the state of an account: replaces what changed, and trims the log to its latest entry. Does nothing
 * where another replica has folded meanwhile. Keys: state, log. Arguments: position before, position after, `1` where the
 * account began anew, milliseconds until it expires, and for each record its field, its place in the order and its value
 * (empty: it is gone).
 */
export const foldScript = script(`
if (redis.call('HGET', KEYS[1], '@') or '') ~= ARGV[1] then return 0 end
if ARGV[3] == '1' then redis.call('DEL', KEYS[1]) end
local at = 5
while at < #ARGV do
  if ARGV[at + 2] == '' then redis.call('HDEL', KEYS[1], ARGV[at])
  else
    local known = redis.call('HGET', KEYS[1], ARGV[at])
    local place = known and string.match(known, '^%d+') or ARGV[at + 1]
    redis.call('HSET', KEYS[1], ARGV[at], place .. '|' .. ARGV[at + 2])
  end
  at = at + 3
end
redis.call('HSET', KEYS[1], '@', ARGV[2])
redis.call('XTRIM', KEYS[2], 'MINID', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`)

/**
 * Input by its hash, within a bound of all bytes: those that were used longest ago go. Keys: inputs (by use), sizes of the
 * inputs, sum of the sizes. Arguments: hash, bytes, time, bound, prefix of the keys of inputs.
 */
export const putInputScript = script(`
if redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) == 0 then return 0 end
redis.call('SET', ARGV[5] .. ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], #ARGV[2])
local total = redis.call('INCRBY', KEYS[3], #ARGV[2])
while total > tonumber(ARGV[4]) do
  local oldest = redis.call('ZPOPMIN', KEYS[1])[1]
  if not oldest then break end
  redis.call('DEL', ARGV[5] .. oldest)
  total = redis.call('DECRBY', KEYS[3], redis.call('HGET', KEYS[2], oldest))
  redis.call('HDEL', KEYS[2], oldest)
end
return 1`)
