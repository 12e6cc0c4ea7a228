import type { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { ClockScheduler } from '../accounts/clock.js'
import type { JournalStore } from '../accounts/journals.js'
import type { Store } from '../accounts/store.js'
import type {
  Decision,
  EarlyChallenge,
  Handshake,
  Operation,
  OwedChallenge,
  PreparedCall,
} from '../core/contract.js'
import type { EmulatorError } from '../core/errors.js'
import type { Events, HealthReporter } from '../core/events.js'
import type { InitialState } from '../core/journal/entry.js'
import type { ResolvedMedia } from '../core/media/input.js'
import type { ScenarioRun } from '../core/model/account.js'
import type { Body, Call } from '../core/model/call.js'
import type { Task } from '../core/model/task.js'
import type { AccountQuotas, QuotaReporter } from '../core/quotas.js'
import type { CallMatch } from '../core/scenario/apply.js'
import type { Scenario } from '../core/scenario/schema.js'
import type { Instant } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import type { ResolveMedia } from '../media/resolve/resolve-media.js'
import type { Uploads } from '../media/uploads/uploads.js'
import type { AnswerSubject } from '../profile/answers.js'
import type { ProfileInForce } from '../profile/in-force.js'
import type { Delays } from './effects/transmit.js'
import type { FileErrorReply, SendResult } from './files.js'

/** Parts of the emulator that the steps of the pipeline use. */
export interface ServiceParts {
  readonly settings: Settings
  readonly secret: string
  /** The time of the system. */
  readonly systemNow: () => number
  readonly store: Store
  readonly clock: ClockScheduler
  readonly accountQuotas: AccountQuotas
  readonly journals: JournalStore
  readonly quotas: QuotaReporter
  readonly findRoute: FindRoute
  readonly largeBodies: { read(chunks: readonly Uint8Array[]): Promise<Body> }
  readonly uploads: Uploads
  /** @throws EmulatorError `unknown-scenario` */
  readonly scenarioNamed: (name: string) => Promise<Scenario>
  readonly resolveMedia: ResolveMedia
  /** When a task expires if it has not ended. Undefined where it never does. */
  readonly deadlineOf: (task: Task) => Instant | undefined
  /** Resolves when no callback of an account is in flight. */
  readonly callbacksDrained: (key: string) => Promise<void>
  readonly sendResult: SendResult
  readonly delays: Delays
  /** The calls that have no journal entry yet. */
  readonly inFlight: Set<CallUnderWay>
  readonly health: HealthReporter
  readonly onInternalError: (error: unknown) => void
  /** Undefined where there is no profile, and answers go out as they are decided. */
  readonly profile?: ProfileInForce | undefined
  /** Sends a challenge before a create is decided, where a family requires it. */
  readonly sendChallenge: (owed: OwedChallenge, challenge: EarlyChallenge, now: Instant) => Promise<Handshake>
  /** Receives every call once it is over. */
  readonly events: Pick<EventEmitter<Events>, 'emit'>
}

/** Operation as the pipeline knows it: one of a family, or the download of a result, which belongs to none. */
export interface ServiceOperation extends Operation {
  /** The id of the account, which a result URL names. Undefined where the key says whose the call is. */
  readonly accountId?: string
  /** The decision on a call that names an account that does not exist. */
  readonly refuseUnknownAccount?: (requestId: string) => Decision
  /** Applies the step that acts to a decision, beyond what scenarios do to every call. */
  readonly override?: (decision: Decision, match: CallMatch, requestId: string) => Decision
  /** Headers of every answer, errors included. */
  readonly headers?: Readonly<Record<string, string>>
  /** The reply in place of a file that cannot be sent. Undefined for the family's internal error. */
  readonly fileError?: FileErrorReply
}

/** Operations that share a route, and the parameters of the path. */
export interface MatchedRoute {
  /** In the order of the table of contents. */
  readonly operations: readonly ServiceOperation[]
  readonly params: Readonly<Record<string, string>>
}

/** Router: finds the operations of a method and path. The query is that of a result URL, which it signs. */
export type FindRoute = (method: string, path: string, query: URLSearchParams) => MatchedRoute | undefined

/**
 * Exchange: one call and its answer as data, on their way through the pipeline. It is one object, to which each step adds its
 * results: a copy for each step costs more. This is its state after the first step, `receive`.
 */
export interface ReceivedExchange {
  readonly call: Call
  /** When its head had arrived, in Unix milliseconds of real time. */
  readonly begun: number
  /** Undefined where the service has no such route. */
  readonly route: MatchedRoute | undefined
  /** Undefined where the call carries no key. */
  readonly key: string | undefined
  /** The account in which the call is decided and recorded. */
  readonly accountKey: string
  /** What absolute URLs of the answer begin with: scheme and host, and the path of the public URL if it has one. */
  readonly origin: string
  /** The local port. Undefined where the request did not come over a network. */
  readonly port: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawQuery: string
  /** The query of a result URL, which is a credential and stands in no listing. Undefined where the query is not secret. */
  readonly signedQuery: string | undefined
  /** Of the request body. */
  readonly bytes: number
  /** The scenario that a header of the call names, or what is wrong with the name. */
  readonly requestScenario: Scenario | EmulatorError | undefined
}

/** What scenarios have to do with a call before it is decided; one constant where nothing plays. */
export interface ScenarioContext {
  /** Whether scenarios can match the call; false for a call that is refused whatever the state of its account. */
  readonly isMatchable: boolean
  /** The run of the scenario that the call names for itself. */
  readonly requestRun: ScenarioRun | undefined
  /** By how much a step moves the clock before the decision. */
  readonly clockJumpMs: number | undefined
}

/** After `identify`. Nothing has been changed yet. */
export interface IdentifiedExchange extends ReceivedExchange, ScenarioContext {
  /** Undefined where no operation has such a route. */
  readonly operation: ServiceOperation | undefined
  /** What the account's clock said. */
  readonly arrivedAt: Instant
  /** The prepared call: the part that waits for the decision. */
  readonly prepared: PreparedCall
  /** The instant to which a status query moves an on-poll clock. */
  readonly nextMoment: Instant | undefined
}

/** After `resolve`. */
export interface ResolvedExchange extends IdentifiedExchange {
  readonly media: ReadonlyMap<string, ResolvedMedia>
  /** Match of a step that moved the clock before the decision: it has acted, and is counted already. */
  readonly recordedMatch?: CallMatch
  /** What became of the challenge that was sent before the decision. Undefined where none was. */
  readonly handshake?: Handshake
}

/** After `decide`. The decision and everything that it changes is one transaction. */
export interface DecidedExchange extends ResolvedExchange {
  readonly requestId: string
  readonly decision: Decision
  readonly match: CallMatch
  /** What the profile selects the changes of the answer by. Undefined where it changes none. */
  readonly subject?: AnswerSubject | undefined
  readonly decidedAt: Instant
  /** With which the journal of the account had begun. */
  readonly initialState: InitialState | undefined
  /** Number of the decision in the journals. */
  readonly sequence: number
  /** Whether a scenario has a callback of the new task come before the answer. */
  readonly awaitsCallbacks: boolean
}

/** A call on its way through the pipeline, from its headers to its journal entry. */
export interface CallUnderWay {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** By `performance.now()`. */
  readonly startedAt: number
  /** Undefined where it is still being received. The steps of the pipeline add to it. */
  exchange: (ReceivedExchange & Partial<DecidedExchange>) | undefined
}
