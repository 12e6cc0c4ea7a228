import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

/**
 * Names that the code had before it used the terms of the field, each with the term. None of them is an identifier of the
 * sources any more. Words that are also keys of published JSON (`happened`, `place`, `says`) are not in the list.
 */
const formerNames: Readonly<Record<string, string>> = {
  Ground: 'EmulatorContext',
  Outside: 'EmulatorDependencies',
  Keeping: 'Persistence',
  keepingNothing: 'noPersistence',
  Incoming: 'ReceivedRequest',
  recognise: 'identify',
  Recognised: 'IdentifiedCall',
  claimant: 'selectOperation',
  teller: 'record',
  Expressed: 'none: no call becomes one of Express',
  toExpress: 'none: no call becomes one of Express',
  strayRequestId: 'randomRequestId',
  EarlyRefusal: 'PrecheckRefusal',
  refusedEarly: 'precheckRefusal',
  BodyRoom: 'BodyBudget',
  crumbled: 'tooManyChunks',
  jsonComplaint: 'jsonErrorMessage',
  intricacy: 'complexity',
  tooIntricate: 'exceedsJsonLimits',
  ClientGone: 'ClientDisconnected',
  sayGoodbye: 'closeGracefully',
  endUnread: 'destroyIdle',
  keepListening: 'relisten',
  createTurns: 'createKeyedMutex',
  Life: 'Timeline',
  plainLife: 'plainTimeline',
  forcedLife: 'forcedTimeline',
  twistedLife: 'overrideTask',
  orderOf: 'resolveParams',
  World: 'DecisionContext',
  settle: 'runDue',
  Happening: 'AccountEvent',
  Agenda: 'Schedule',
  tagOf: 'accountIdOf',
  Opening: 'InitialState',
  openingOf: 'initialStateOf',
  StandingErrors: 'WellKnownErrors',
  StepStanding: 'StepStatus',
  Mention: 'MediaRef',
  Found: 'ResolvedMedia',
  Unfit: 'UnusableReason',
  gather: 'resolveMedia',
  disguise: 'responseOverrides',
  Disguise: 'ResponseOverrides',
  remarks: 'warnings',
  crowdedOut: 'quotaExceeded',
  castOf: 'mediaParams',
  castMedia: 'mediaParams',
  Playing: 'ScenarioRun',
  Played: 'ScenarioResult',
  guest: 'requestScenario',
  Guests: 'TestAccounts',
  Cue: 'MatchedStep',
  cueFor: 'matchStep',
  Occasion: 'MatchInput',
  countedQuietly: 'countMatch',
  reluctance: 'reasonNotToAct',
  takeBack: 'undoMatch',
  openScene: 'applyScenario',
  sceneOn: 'applyScenario',
  TaskTwist: 'TaskOverride',
  complaint: 'diagnostic',
  Complaint: 'Diagnostic',
  Courier: 'CallbackDispatcher',
  Flight: 'InFlightDelivery',
  Posting: 'DeliveryJob',
  takePosting: 'takeDeliveryJob',
  Correspondence: 'CallbackQueue',
  CallbackBook: 'CallbackLog',
  moveOn: 'next',
  shunned: 'blocked',
  MayConnect: 'ConnectPolicy',
  ClockDriver: 'ClockScheduler',
  Manners: 'WaitPolicy',
  noticing: 'dispatchEvents',
  noticed: 'transact',
  Alarm: 'WakeTimer',
  steadyWall: 'monotonicNow',
  Diary: 'StateWriter',
  Batches: 'DirtyTracker',
  NotingMap: 'TrackedMap',
  KeepingMap: 'TrackedMap',
  KeptAccount: 'TrackedAccount',
  setAside: 'backUpCorruptFile',
  BoundName: 'QuotaName',
  Census: 'AccountUsage',
  leavers: 'evictionCandidates',
  TaskRoom: 'TaskQuota',
  LogRoom: 'JournalQuota',
  heaviest: 'largest',
  Shortage: 'QuotaExceeded',
  Trouble: 'HealthIssue',
  Troubles: 'HealthIssues',
  Studio: 'Renderer',
  studio: 'renderer',
  workbench: 'renderContext',
  workbenches: 'renderContexts',
  lettering: 'text',
  chanceOf: 'seededRandom',
  Wrong: 'Failure',
  wrongCall: 'failedCall',
  Witnessed: 'ObservedCall',
  Raisable: 'ErrorCatalog',
  Cleaner: 'Sanitizer',
  standInKey: 'replayKey',
  chronicle: 'timeline',
  Occurrence: 'TimelineEntry',
  shelves: 'JournalStore',
  Controlled: 'ControlContext',
  isHopeless: 'impossible',
  welcome: 'acquire',
  dismiss: 'release',
  staySmall: 'none: the heap is left to Node',
  life: 'timeline',
  hasLives: 'hasTimelines',
  mostOf: 'maxOf',
  standing: 'counters, kind',
  Standing: 'Counters',
  Counted: 'CountedAccount',
  Kept: 'JournalRecord',
  Gate: 'Semaphore',
  createGate: 'createSemaphore',
  Room: 'TextBox',
  misfit: 'mismatch',
  flaw: 'diagnostic',
  nthOf: 'ordinalOf',
  conclude: 'complete',
  takeNotes: 'applyNotes',
  worldOf: 'decisionContextOf',
  shownTask: 'taskRecordOf',
  shownEntry: 'requestRecordOf',
  shownAccount: 'accountRecordOf',
  shownRuns: 'runRecordsOf',
  shownStore: 'redactedUrl',
  typedBy: 'parseSettingText',
  saidAs: 'label',
  withFilesRead: 'readAccountFiles',
  takenApart: 'splitOptions',
  giveTerms: 'applyAccountSettings',
  Held: 'CachedAccount, SnapshotAccount',
  Tell: 'RecordReply',
  isInstead: 'skipsDecision',
  mustBeButHas: 'expectedButFound',
  retouch: 'mapFields',
  askedAbout: 'tasksByIds',
  ticket: 'ref',
  waitsFor: 'nextMoment',
  cameBy: 'momentCountAt',
  lightenLog: 'dropParamsInLog',
  stretched: 'withPhaseLength',
  saysWhatItIsAbout: 'namesSubject',
  journalled: 'journalReplyOf',
  FAREWELL_MS: 'CLOSE_TIMEOUT_MS',
}

const identifiersOf = (path: string): Set<string> => {
  const found = new Set<string>()
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  // It converts records of older state files, and so it names their keys.
  .filter((path) => path !== 'src/accounts/persistence/read-record.ts')

test('no name of before is an identifier of the sources', () => {
  const found = sources.flatMap((path) =>
    [...identifiersOf(path)]
      .filter((name) => Object.hasOwn(formerNames, name))
      .map((name) => `${path}: ${name}, now ${formerNames[name]}`),
  )
  expect(found).toEqual([])
})

test('an identifier would be found', () =>
  expect(identifiersOf('test/words.test.ts')).toContain('formerNames'))
