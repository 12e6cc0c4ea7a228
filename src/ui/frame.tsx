import { useEffect } from 'preact/hooks'
import {
  account,
  invoke,
  isLost,
  keys,
  live,
  notice,
  route,
  router,
  scenarios,
  session,
  sessionState,
  setToken,
  systemNow,
} from './app.js'
import { Button } from './parts/button.js'
import { ClockBar, LastMove } from './parts/clock-bar.js'
import { FirstUse } from './parts/first-use.js'
import { Help, isHelpOpen, openHelp } from './parts/help.js'
import { Message } from './parts/layout.js'
import { Link } from './parts/link.js'
import { leaveControl, useShortcuts } from './parts/shortcuts.js'
import { useFetch } from './parts/use-fetch.js'
import { storedSignal } from './signals.js'
import { countOf, formatNumber } from './state/format.js'
import { isUsedUp } from './state/request-rows.js'
import { type View, views } from './views.js'

/** Frame of the page: the menu, the account and its clock, the view, and what plays. */
export const Frame = () => {
  const current = views.find(({ id }) => id === route.value.view)
  useEffect(() => {
    document.title = `${current?.label ?? 'Backlot'} · Backlot`
    // In a narrow window the menu is wider than the page.
    document.querySelector('.menu a[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  useShortcuts([
    ...views.map(({ id, label, letter }) => ({
      keys: `g ${letter}`,
      label,
      run: () => {
        leaveControl()
        router.go({ view: id })
      },
    })),
    { keys: '/', label: 'search', run: focusSearch },
    { keys: '?', label: 'this list', run: openHelp },
  ])
  if (live.value.status === 'refused') return <Locked />
  return (
    <div class={isLost.value ? 'frame lost' : 'frame'}>
      <nav class="menu" aria-label="Views">
        <div class="brand">BACKLOT</div>
        {views.map((view) => (
          <MenuItem key={view.id} view={view} />
        ))}
        <div class="menu-foot">
          <ThemeSwitch />
          <Button class="plain" aria-label="Keyboard shortcuts" onClick={openHelp}>
            ?
          </Button>
        </div>
      </nav>
      <header class="bar">
        <AccountChoice />
        <ClockBar />
        <LastMove />
      </header>
      <main class="view" aria-busy={!account.value.isLoaded}>
        <h1 class="visually-hidden">{current?.label ?? 'Backlot'}</h1>
        <Reading />
        <Content view={current} />
      </main>
      <footer class="foot">
        <Connection />
        <InFlight />
        <Notices />
        <RunningScenarios />
      </footer>
      {isHelpOpen.value && <Help />}
    </div>
  )
}

/** How much of the account has been read, while its first rows are shown. */
const Reading = () => {
  const { reading } = account.value
  if (reading === undefined || reading.read >= reading.total) return null
  const text = `${formatNumber(reading.read)} of ${formatNumber(reading.total)}`
  return (
    <div class="reading">
      <progress aria-label="Reading the account" value={reading.read} max={reading.total} />
      <span class="quiet">{text}</span>
    </div>
  )
}

const MenuItem = ({ view: { id, label, letter, unseen } }: { view: View }) => {
  const { problems, kinds } = unseen?.value ?? { problems: 0, kinds: 0 }
  const text = `${countOf(problems, 'problem')}${problems === 1 ? '' : ` of ${countOf(kinds, 'kind')}`}`
  return (
    <Link to={{ view: id }} isCurrent={route.value.view === id} title={`g ${letter}`}>
      {label}
      {problems > 0 && (
        <span class="count" role="img" aria-label={text} title={`${text}, not looked at`}>
          {kinds}
        </span>
      )}
    </Link>
  )
}

const Content = ({ view }: { view: View | undefined }) => {
  const { missing, accounts } = sessionState.value
  const { tag, isLoaded, requests, tasks } = account.value
  if (view === undefined)
    return <Message isError text={`There is no view ${route.value.view}.`} hint="The menu has them all." />
  if (missing !== '' && accounts.length > 0)
    return (
      <Message
        isError
        text={`There is no account ${missing}.`}
        hint="It was reset or evicted: choose another one."
      />
    )
  if (view.needsTraffic && sessionState.value.account === undefined && !isLoaded) return null
  if (view.needsTraffic && isLoaded && requests.length + tasks.length === 0) return <FirstUse />
  const { component: Component } = view
  // What was read of one account is not shown for another. The console and the editor stay: the user may be typing.
  return <Component key={view.needsTraffic && tag} />
}

/** What is shown without the control token: nothing but the question for it. */
const Locked = () => (
  <div class="locked">
    <main>
      <h1 class="brand">BACKLOT</h1>
      <TokenForm problem={live.value.problem} />
    </main>
    <footer>
      <Connection /> <ThemeSwitch />
    </footer>
  </div>
)

const TokenForm = ({ problem }: { problem: string }) => (
  <form
    class="token-form"
    onSubmit={(event) => {
      event.preventDefault()
      setToken(String(new FormData(event.currentTarget).get('token') ?? '').trim())
    }}
  >
    <Message isError text={problem} hint="The emulator has printed its token at the start." />
    <label>
      Control token <input name="token" autocomplete="off" required />
    </label>
    <button type="submit" class="primary">
      Use it in this tab
    </button>
  </form>
)

const refreshAccounts = () => void session.refreshAccounts().catch(() => undefined)

const AccountChoice = () => {
  const { accounts, account: shown } = sessionState.value
  const { record } = account.value
  if (accounts.length === 0 && shown === undefined) return <div class="account quiet">no account yet</div>
  return (
    <div class="account">
      <select
        aria-label="Account"
        value={shown?.tag ?? ''}
        onFocus={refreshAccounts}
        onPointerEnter={refreshAccounts}
        onChange={({ currentTarget }) => {
          // The way back leads to the account that is shown now.
          if (shown !== undefined) router.filter({ account: shown.tag })
          router.go({ query: { account: currentTarget.value } })
        }}
      >
        {shown === undefined && <option value="">choose an account</option>}
        {accounts.map(({ tag, name }) => (
          <option key={tag} value={tag}>
            {accounts.some((other) => other.name === name && other.tag !== tag) ? `${name} · ${tag}` : name}
          </option>
        ))}
      </select>
      {record !== undefined && (
        <span class="quiet account-facts">
          {countOf(record.tasks, 'task')}
          {record.tasksInFlight > 0 && `, ${formatNumber(record.tasksInFlight)} under way`} · balance{' '}
          {formatNumber(record.balance)}
        </span>
      )}
    </div>
  )
}

const Connection = () => {
  const { status, failures, problem } = live.value
  const { version } = sessionState.value
  if (failures >= 2 && status === 'lost')
    return (
      <span class="connection lost">
        <span role="alert">{problem}</span> Tried {failures} times; trying on. Time stands still on this page.
      </span>
    )
  return (
    <span class="connection quiet">
      {status === 'lost' ? 'connecting' : status}{' '}
      <span class="wide-only">
        · {location.host}
        {version !== '' && ` · v${version}`}
      </span>
    </span>
  )
}

/** The notice. Its live region stays: a screen reader says only what changes in one that it knows. */
const Notices = () => {
  const { text, hint, error } = notice.value ?? { text: '', hint: '' }
  return (
    <div class={error === undefined ? 'notice' : 'notice problem'}>
      <output>
        {text} <span class="quiet">{hint}</span>
      </output>{' '}
      {text !== '' && (
        <Button class="plain" aria-label="Dismiss" onClick={() => (notice.value = undefined)}>
          ✕
        </Button>
      )}
    </div>
  )
}

/** How many calls have no answer yet, on every view. No event tells of them, so they are asked for. */
const InFlight = () => {
  const { data } = useFetch('requests.list', { limit: 1 }, [Math.floor(systemNow.value / 2_000)])
  const [call] = data?.inFlight ?? []
  if (data === undefined || call === undefined || isLost.value) return null
  return (
    <Link
      to={{ view: 'requests' }}
      title={data.inFlight.map(({ path, says }) => `${path} ${says}`).join('\n')}
    >
      {countOf(data.inFlight.length, 'call')} under way
    </Link>
  )
}

const RunningScenarios = () => (
  <span class="playing">
    {scenarios.value
      .filter((run) => !isUsedUp(run))
      .map(({ name, says }) => (
        <span key={name} title={says}>
          {name} plays{' '}
          <Button class="plain" aria-label={`Stop ${name}`} onClick={() => invoke('scenario.stop', { name })}>
            ■ stop
          </Button>
        </span>
      ))}
  </span>
)

const nextTheme: Readonly<Record<string, string>> = { system: 'light', light: 'dark', dark: 'system' }
const theme = storedSignal('backlot-theme', 'system', localStorage)
theme.subscribe((current) => (document.documentElement.dataset.theme = current))

const ThemeSwitch = () => {
  const next = nextTheme[theme.value] ?? 'system'
  const label = `Theme: ${theme.value}. Change to ${next}`
  return (
    <Button class="plain" aria-label={label} onClick={() => (theme.value = next)}>
      ◐ <span class="theme-name">{theme.value}</span>
    </Button>
  )
}

const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('input[type=search]')
  field?.focus()
  field?.select()
  return field !== null
}

/** Elements into which keys that are pressed go as text. */
const TEXT_FIELDS = 'input:not([type="checkbox"]), textarea, select'

addEventListener('keydown', (event) => {
  if (document.querySelector('dialog[open]') !== null || event.defaultPrevented) return
  const target = event.target as HTMLElement
  if (target.matches(TEXT_FIELDS)) {
    if (event.key !== 'Escape') return
    target.blur()
  } else if (!keys.press(event)) return
  event.preventDefault()
})

// Timers of a page in the background are slowed down: texts such as "3 s ago" are brought up to date at once.
document.addEventListener('visibilitychange', () => (systemNow.value = Date.now()))
