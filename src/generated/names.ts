// Written by `npm run generate` from the families, the rules, the scenarios, the settings, the quotas and the errors. Change those.

/** An operation of the service. */
export type OperationName =
  | 'a-image.create'
  | 'a2-image.create'
  | 'b-video-task.create'
  | 'b-video-task.read'
  | 'b-video-task.list'
  | 'b-video-task.cancel'
  | 'c-video.create'
  | 'c-video.read'
  | 'c-video.content'
  | 'd-assets.upload'
  | 'd-assets.resolve'
  | 'e-video-reference.create'
  | 'e-video-reference.read'
  | 'f-video-v2.create'
  | 'f-video-v2.read'
  | 'f-video-v2.cancel'
  | 'results.download'
  | OutsideOperation

/** A family of operations; `results` are the downloads of results. */
export type FamilyName =
  | 'a-image'
  | 'a2-image'
  | 'b-video-task'
  | 'c-video'
  | 'd-assets'
  | 'e-video-reference'
  | 'f-video-v2'
  | 'results'
  | OutsideFamily

/** A family whose creates make tasks. */
export type TaskFamilyName =
  | 'a-image'
  | 'a2-image'
  | 'b-video-task'
  | 'c-video'
  | 'e-video-reference'
  | 'f-video-v2'
  | OutsideFamily

/** An error of any family, by its name in the table of the family. */
export type ErrorName =
  | 'InvalidParameter'
  | 'ModelNotExist'
  | 'InvalidURL'
  | 'DataInspectionFailed'
  | 'InvalidApiKey'
  | 'RequestBodyTooLarge'
  | 'Throttling.RateQuota'
  | 'Throttling.AllocationQuota'
  | 'InternalError'
  | 'BadResponse'
  | 'ServiceUnavailable'
  | 'model_not_found'
  | 'MissingParameter'
  | 'InputTextSensitiveContentDetected'
  | 'InputImageSensitiveContentDetected'
  | 'InputVideoSensitiveContentDetected'
  | 'InputAudioSensitiveContentDetected'
  | 'OutputVideoSensitiveContentDetected'
  | 'OutputAudioSensitiveContentDetected'
  | 'AuthenticationError'
  | 'AccountOverdueError'
  | 'OperationDenied.AgreementNotAccepted'
  | 'InvalidEndpointOrModel.NotFound'
  | 'ResourceNotFound'
  | 'InvalidAction.RunningTaskDeletion'
  | 'InvalidAction.CancelledTaskDeletion'
  | 'RateLimitExceeded.EndpointRPMExceeded'
  | 'SetLimitExceeded'
  | 'ServerOverloaded'
  | 'InternalServiceError'
  | 'TaskExpired'
  | 'invalid_request'
  | 'unsupported_model'
  | 'content_policy_violation'
  | 'invalid_api_key'
  | 'insufficient_user_quota'
  | 'access_denied'
  | 'task_not_exist'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'rate_limit_exceeded'
  | 'internal_error'
  | 'Unauthorized'
  | 'AgreementNotAccepted'
  | 'TaskNotFound'
  | 'RateLimited'
  | 'QuotaExceeded'
  | 'bad_request_error'
  | 'unknown_model'
  | 'authorized_error'
  | 'insufficient_balance_error'
  | 'unprocessable_entity_error'
  | 'rate_limit_error'
  | 'server_error'
  | 'overloaded_error'
  | OutsideError

/** A model of any family. */
export type ModelName =
  | 'alpha-image-3.0-pro'
  | 'alpha-image-2.0-pro'
  | 'videoa-2-0-260128'
  | 'videoa-2-0-fast-260128'
  | 'beta2.7-r2v'
  | 'gamma-H3'
  | 'gamma-H3-Max'
  | OutsideModel

/** A ready-made scenario. */
export type ScenarioName =
  | 'agreement-withdrawn'
  | 'asset-job-fails'
  | 'asset-never-ready'
  | 'balance-runs-out'
  | 'broken-json'
  | 'busy-hour'
  | 'bytes-of-another-format'
  | 'callback-after-delete'
  | 'callback-before-answer'
  | 'callback-broken-body'
  | 'callback-contradicts-query'
  | 'callback-late'
  | 'callback-lost'
  | 'callback-twice'
  | 'callback-twice-at-once'
  | 'callbacks-out-of-order'
  | 'callbacks-stop-then-flood'
  | 'cancel-too-late'
  | 'challenge-fails'
  | 'clock-skew'
  | 'empty-answer'
  | 'error-in-200'
  | 'fewer-images-than-asked'
  | 'gateway-timeout-after-create'
  | 'html-error-page'
  | 'just-created-unknown'
  | 'key-revoked-midway'
  | 'model-retired'
  | 'no-channel-for-model'
  | 'one-failed-poll'
  | 'picture-other-format'
  | 'poll-hangs'
  | 'progress-as-fraction'
  | 'progress-jumps-back'
  | 'queue-full'
  | 'rate-limit-burst'
  | 'rate-limit-on-polls'
  | 'rate-limit-strict'
  | 'refused-after-acceptance'
  | 'reset-after-create'
  | 'result-corrupt'
  | 'result-cut'
  | 'result-expired'
  | 'result-ignores-range'
  | 'result-missing'
  | 'result-of-another-task'
  | 'result-other-size'
  | 'result-refuses-head'
  | 'result-sideways'
  | 'result-silent'
  | 'result-too-short'
  | 'result-trickles'
  | 'result-wrong-length'
  | 'result-wrong-type'
  | 'results-expire-during-batch'
  | 'runs-for-ever'
  | 'seeded-chaos'
  | 'slow-first-byte'
  | 'status-goes-back'
  | 'status-in-other-words'
  | 'stuck-in-queue'
  | 'success-without-url'
  | 'task-vanishes'
  | 'unknown-status'
  | 'upstream-flapping'
  | 'usage-missing'

/** A setting. */
export type SettingName =
  | 'port'
  | 'host'
  | 'publicUrl'
  | 'trustedProxies'
  | 'tlsCert'
  | 'tlsKey'
  | 'allowedHosts'
  | 'corsOrigins'
  | 'controlToken'
  | 'signingSecret'
  | 'headersTimeoutMs'
  | 'requestTimeoutMs'
  | 'keepAliveTimeoutMs'
  | 'unreadTimeoutMs'
  | 'headerBytes'
  | 'requestsPerConnection'
  | 'requestsAtOncePerConnection'
  | 'bodyBytesAtOnce'
  | 'clock'
  | 'speed'
  | 'startAt'
  | 'timing'
  | 'seed'
  | 'scenario'
  | 'profile'
  | 'verified'
  | 'families'
  | 'familySettings'
  | 'account'
  | 'balance'
  | 'requestsPerMinute'
  | 'tasksInFlight'
  | 'imageQuota'
  | 'prices'
  | 'strict'
  | 'defaultImageSize'
  | 'a2Editing'
  | 'imageBodyBytes'
  | 'videoBodyBytes'
  | 'moderationWords'
  | 'requireAssets'
  | 'videoStatusWords'
  | 'metadataUrl'
  | 'resultAuthorization'
  | 'allowAudioOnly'
  | 'fetchMedia'
  | 'groups'
  | 'callbackHosts'
  | 'callbackTimeoutScale'
  | 'maxConnections'
  | 'maxAccounts'
  | 'tasksPerAccount'
  | 'tasksInAll'
  | 'taskBytes'
  | 'journalEntries'
  | 'journalBytes'
  | 'callbackLogEntries'
  | 'callbacksLoggedInAll'
  | 'callbacksAtOnce'
  | 'inboxBytes'
  | 'maxScenarios'
  | 'waitsAtOnce'
  | 'journalBodyBytes'
  | 'media'
  | 'mediaCache'
  | 'mediaFolder'
  | 'mediaDiskBytes'
  | 'mediaMemoryBytes'
  | 'assetImageBytes'
  | 'assetVideoBytes'
  | 'assetAudioBytes'
  | 'assetTotalBytes'
  | 'maxAssets'
  | 'assetsInAll'
  | 'uploadsAtOnce'
  | 'inputBytes'
  | 'rendersAtOnce'
  | 'rendersWaiting'
  | 'renderTimeoutMs'
  | 'ffmpeg'
  | 'state'
  | 'stateFresh'
  | 'stateTakeOver'
  | 'stateFsync'
  | 'stateDelayMs'
  | 'store'
  | 'storePrefix'
  | 'storeExpiryMs'
  | 'storeInputBytes'
  | 'stateBodyBytes'
  | 'maxSnapshots'
  | 'logFile'
  | 'logLevel'

/** A quota of the emulator, as refusals carry it. */
export type QuotaName =
  | 'connections'
  | 'accounts'
  | 'tasks-per-account'
  | 'tasks-in-all'
  | 'task-bytes'
  | 'assets-per-account'
  | 'asset-bytes-per-account'
  | 'assets-in-all'
  | 'journal-entries'
  | 'journal-bytes'
  | 'callback-log'
  | 'callback-logs'
  | 'callbacks'
  | 'inbox-messages'
  | 'inbox-bytes'
  | 'scenarios'
  | 'waits'
  | 'uploads'
  | 'bodies'
  | 'request-bodies'
  | 'state-bodies'
  | 'asset-files'
  | 'renders'
  | 'renders-waiting'
  | 'media-on-disk'
  | 'media-in-memory'
  | 'inputs'
  | 'snapshots'

/** Code of an `EmulatorError`: the same from version to version. */
export type EmulatorErrorCode =
  | 'asset-missing'
  | 'bad-accounts'
  | 'bad-argument'
  | 'bad-body'
  | 'bad-certificate'
  | 'bad-coverage'
  | 'bad-duration'
  | 'bad-family'
  | 'bad-input'
  | 'bad-option'
  | 'bad-profile'
  | 'bad-recording'
  | 'bad-scenario'
  | 'bad-setting'
  | 'bad-state'
  | 'bad-time'
  | 'bad-url'
  | 'bad-verified'
  | 'bug'
  | 'callback-waiting'
  | 'cannot-listen'
  | 'cannot-log'
  | 'cannot-print'
  | 'cannot-record'
  | 'cannot-sweep'
  | 'clock-has-run'
  | 'concurrent-tests'
  | 'container-not-started'
  | 'disk-full'
  | 'emulator-error'
  | 'error-without-failure'
  | 'evicted'
  | 'ffmpeg-failed'
  | 'ffmpeg-missing'
  | 'ffmpeg-unusable'
  | 'file-trouble'
  | 'fluent-ffmpeg-missing'
  | 'folder-unusable'
  | 'font-unreadable'
  | 'foreign-host'
  | 'foreign-origin'
  | 'forward-failed'
  | 'input-missing'
  | 'input-too-large'
  | 'inputs-folder'
  | 'inputs-full'
  | 'log-unwritten'
  | 'loose-ends'
  | 'mcp-sdk-missing'
  | 'misbehaved'
  | 'never'
  | 'no-coverage'
  | 'no-file'
  | 'no-jest'
  | 'no-node-test'
  | 'no-page'
  | 'no-such-account'
  | 'no-such-control'
  | 'no-such-file'
  | 'no-such-fixture'
  | 'no-such-request'
  | 'no-such-result'
  | 'no-such-task'
  | 'no-temporary-folder'
  | 'no-test'
  | 'no-working-directory'
  | 'not-an-emulator'
  | 'not-in-state'
  | 'not-playing'
  | 'not-started'
  | 'not-yet'
  | 'other-seed'
  | 'other-snapshot'
  | 'out-of-handles'
  | 'port-taken'
  | 'render-failed'
  | 'render-timeout'
  | 'renderer-stopped'
  | 'renders-full'
  | 'shared-server'
  | 'sharp-missing'
  | 'state-held'
  | 'state-taken-over'
  | 'state-unusable'
  | 'state-unwritten'
  | 'stopped'
  | 'store-client-missing'
  | 'store-evicts'
  | 'store-gap'
  | 'store-tail-lost'
  | 'store-unavailable'
  | 'store-version'
  | 'task-has-ended'
  | 'task-has-passed'
  | 'time-ends'
  | 'time-runs-forward'
  | 'token-needed'
  | 'too-many-scenarios'
  | 'too-many-streams'
  | 'too-many-waits'
  | 'unknown-action'
  | 'unknown-callback'
  | 'unknown-error'
  | 'unknown-family'
  | 'unknown-operation'
  | 'unknown-resource'
  | 'unknown-rule'
  | 'unknown-scenario'
  | 'unknown-snapshot'
  | 'unknown-status'
  | 'unknown-tool'
  | 'unreachable'
  | 'unreadable-render'
  | 'wrong-subject'
  | 'wrong-usage'

declare global {
  /**
   * Families from outside, by their ids. What is declared here is known wherever operations, families, models, errors and rules
   * are named: `declare global { interface BacklotFamilies { 'acme-sketch': typeof sketch } }`.
   */
  interface BacklotFamilies {}
}

type OutsideFamily = Extract<keyof BacklotFamilies, string>
type OutsideOperation = {
  [Id in OutsideFamily]: BacklotFamilies[Id] extends { readonly api: { readonly operations: infer Verbs } }
    ? `${Id}.${Extract<keyof Verbs, string>}`
    : never
}[OutsideFamily]
type OutsideError = {
  [Id in OutsideFamily]: BacklotFamilies[Id] extends { readonly errors: infer Errors }
    ? Extract<keyof Errors, string>
    : never
}[OutsideFamily]
type OutsideModel = {
  [Id in OutsideFamily]: BacklotFamilies[Id] extends { readonly models: readonly (infer Model)[] }
    ? Extract<Model, string>
    : never
}[OutsideFamily]

/** The errors of each family, by their names in its table. */
export interface ErrorNames {
  readonly 'a-image':
    | 'InvalidParameter'
    | 'ModelNotExist'
    | 'InvalidURL'
    | 'DataInspectionFailed'
    | 'InvalidApiKey'
    | 'RequestBodyTooLarge'
    | 'Throttling.RateQuota'
    | 'Throttling.AllocationQuota'
    | 'InternalError'
    | 'BadResponse'
    | 'ServiceUnavailable'
    | 'model_not_found'
  readonly 'a2-image':
    | 'InvalidParameter'
    | 'ModelNotExist'
    | 'InvalidURL'
    | 'DataInspectionFailed'
    | 'InvalidApiKey'
    | 'RequestBodyTooLarge'
    | 'Throttling.RateQuota'
    | 'Throttling.AllocationQuota'
    | 'InternalError'
    | 'BadResponse'
    | 'ServiceUnavailable'
    | 'model_not_found'
  readonly 'b-video-task':
    | 'MissingParameter'
    | 'InvalidParameter'
    | 'InputTextSensitiveContentDetected'
    | 'InputImageSensitiveContentDetected'
    | 'InputVideoSensitiveContentDetected'
    | 'InputAudioSensitiveContentDetected'
    | 'OutputVideoSensitiveContentDetected'
    | 'OutputAudioSensitiveContentDetected'
    | 'AuthenticationError'
    | 'AccountOverdueError'
    | 'OperationDenied.AgreementNotAccepted'
    | 'InvalidEndpointOrModel.NotFound'
    | 'ResourceNotFound'
    | 'InvalidAction.RunningTaskDeletion'
    | 'InvalidAction.CancelledTaskDeletion'
    | 'RequestBodyTooLarge'
    | 'RateLimitExceeded.EndpointRPMExceeded'
    | 'SetLimitExceeded'
    | 'ServerOverloaded'
    | 'InternalServiceError'
    | 'TaskExpired'
  readonly 'c-video':
    | 'invalid_request'
    | 'unsupported_model'
    | 'content_policy_violation'
    | 'invalid_api_key'
    | 'insufficient_user_quota'
    | 'access_denied'
    | 'task_not_exist'
    | 'request_too_large'
    | 'unsupported_media_type'
    | 'rate_limit_exceeded'
    | 'internal_error'
    | 'model_not_found'
    | 'InputImageSensitiveContentDetected'
    | 'InputVideoSensitiveContentDetected'
    | 'InputAudioSensitiveContentDetected'
    | 'OutputVideoSensitiveContentDetected'
    | 'OutputAudioSensitiveContentDetected'
    | 'InternalServiceError'
    | 'TaskExpired'
  readonly 'd-assets':
    | 'InvalidParameter'
    | 'Unauthorized'
    | 'AgreementNotAccepted'
    | 'TaskNotFound'
    | 'RateLimited'
    | 'QuotaExceeded'
    | 'InternalError'
  readonly 'e-video-reference':
    | 'invalid_request'
    | 'unsupported_model'
    | 'content_policy_violation'
    | 'invalid_api_key'
    | 'insufficient_user_quota'
    | 'access_denied'
    | 'task_not_exist'
    | 'request_too_large'
    | 'unsupported_media_type'
    | 'rate_limit_exceeded'
    | 'internal_error'
    | 'model_not_found'
  readonly 'f-video-v2':
    | 'bad_request_error'
    | 'unknown_model'
    | 'authorized_error'
    | 'insufficient_balance_error'
    | 'request_too_large'
    | 'unprocessable_entity_error'
    | 'rate_limit_error'
    | 'server_error'
    | 'overloaded_error'
  readonly results: never
}

/** An error of the family of an operation, or of a pattern of operations. */
export type ErrorNameOf<Pattern extends string> = Pattern extends `${infer Family}.${string}`
  ? Family extends keyof ErrorNames
    ? ErrorNames[Family]
    : OutsideError
  : never

/** Rules, as the journal and `GET /_backlot/rules` name them. A value too: the matchers refuse a misspelt one. */
export const ruleIds = [
  'a-image.credentials',
  'a-image.content-type',
  'a-image.body-is-json',
  'a-image.body-size',
  'a-image.room-for-body',
  'a-image.body-can-be-kept',
  'a-image.schema',
  'a-image.schema.model',
  'a-image.schema.input',
  'a-image.schema.input.messages',
  'a-image.schema.input.messages[]',
  'a-image.schema.input.messages[].role',
  'a-image.schema.input.messages[].content',
  'a-image.schema.input.messages[].content[]',
  'a-image.schema.input.messages[].content[].image',
  'a-image.schema.input.messages[].content[].text',
  'a-image.schema.parameters',
  'a-image.schema.parameters.n',
  'a-image.schema.parameters.size',
  'a-image.schema.parameters.negative_prompt',
  'a-image.schema.parameters.prompt_extend',
  'a-image.schema.parameters.seed',
  'a-image.schema.parameters.watermark',
  'a-image.schema.parameters.prompt_extend_mode',
  'a-image.rate-limit',
  'a-image.strict',
  'a-image.agent-is-for-text-only',
  'a-image.exactly-one-text',
  'a-image.at-most-three-images',
  'a-image.size-format',
  'a-image.size-area',
  'a-image.size-ratio',
  'a-image.media-form',
  'a-image.media-can-be-had',
  'a-image.media-kind',
  'a-image.image-format',
  'a-image.image-bytes',
  'a-image.prompt-passes-moderation',
  'a-image.images-within-quota',
  'a-image.room-for-task',
  'a2-image.credentials',
  'a2-image.content-type',
  'a2-image.body-is-json',
  'a2-image.body-size',
  'a2-image.room-for-body',
  'a2-image.body-can-be-kept',
  'a2-image.schema',
  'a2-image.schema.model',
  'a2-image.schema.input',
  'a2-image.schema.input.messages',
  'a2-image.schema.input.messages[]',
  'a2-image.schema.input.messages[].role',
  'a2-image.schema.input.messages[].content',
  'a2-image.schema.input.messages[].content[]',
  'a2-image.schema.input.messages[].content[].image',
  'a2-image.schema.input.messages[].content[].text',
  'a2-image.schema.parameters',
  'a2-image.schema.parameters.n',
  'a2-image.schema.parameters.size',
  'a2-image.schema.parameters.negative_prompt',
  'a2-image.schema.parameters.prompt_extend',
  'a2-image.schema.parameters.seed',
  'a2-image.schema.parameters.watermark',
  'a2-image.rate-limit',
  'a2-image.strict',
  'a2-image.exactly-one-message',
  'a2-image.text-alone',
  'a2-image.exactly-one-text',
  'a2-image.at-most-three-images',
  'a2-image.size-format',
  'a2-image.size-area',
  'a2-image.size-ratio',
  'a2-image.media-form',
  'a2-image.media-can-be-had',
  'a2-image.media-kind',
  'a2-image.image-format',
  'a2-image.image-bytes',
  'a2-image.prompt-passes-moderation',
  'a2-image.images-within-quota',
  'a2-image.room-for-task',
  'b-video-task.credentials',
  'b-video-task.content-type',
  'b-video-task.body-is-json',
  'b-video-task.body-size',
  'b-video-task.room-for-body',
  'b-video-task.body-can-be-kept',
  'b-video-task.schema',
  'b-video-task.schema.model',
  'b-video-task.schema.content',
  'b-video-task.schema.content[]',
  'b-video-task.schema.content[].type',
  'b-video-task.schema.content[].text',
  'b-video-task.schema.content[].image_url',
  'b-video-task.schema.content[].image_url.url',
  'b-video-task.schema.content[].role',
  'b-video-task.schema.content[].video_url',
  'b-video-task.schema.content[].video_url.url',
  'b-video-task.schema.content[].audio_url',
  'b-video-task.schema.content[].audio_url.url',
  'b-video-task.schema.ratio',
  'b-video-task.schema.duration',
  'b-video-task.schema.resolution',
  'b-video-task.schema.seed',
  'b-video-task.schema.generate_audio',
  'b-video-task.schema.watermark',
  'b-video-task.schema.camera_fixed',
  'b-video-task.schema.draft',
  'b-video-task.schema.return_last_frame',
  'b-video-task.schema.service_tier',
  'b-video-task.schema.execution_expires_after',
  'b-video-task.schema.priority',
  'b-video-task.schema.safety_identifier',
  'b-video-task.schema.callback_url',
  'b-video-task.rate-limit',
  'b-video-task.strict',
  'b-video-task.account-has-agreed',
  'b-video-task.text-unless-media',
  'b-video-task.role-fits-kind',
  'b-video-task.every-image-has-a-role',
  'b-video-task.frames-or-references',
  'b-video-task.role-counts',
  'b-video-task.last-frame-needs-first',
  'b-video-task.audio-is-not-alone',
  'b-video-task.high-resolution',
  'b-video-task.media-form',
  'b-video-task.media-can-be-had',
  'b-video-task.media-kind',
  'b-video-task.prompt-passes-moderation',
  'b-video-task.balance-is-positive',
  'b-video-task.tasks-in-flight',
  'b-video-task.room-for-task',
  'b-video-task.task-exists',
  'b-video-task.list.page_num',
  'b-video-task.list.page_size',
  'b-video-task.list.filter.status',
  'b-video-task.list.filter.model',
  'b-video-task.list.filter.service_tier',
  'b-video-task.list.filter.task_ids',
  'b-video-task.list.filter.task_ids[]',
  'b-video-task.list.id',
  'b-video-task.cancelling',
  'c-video.credentials',
  'c-video.content-type',
  'c-video.body-is-json',
  'c-video.body-size',
  'c-video.room-for-body',
  'c-video.body-can-be-kept',
  'c-video.schema',
  'c-video.schema.model',
  'c-video.schema.media',
  'c-video.schema.media[]',
  'c-video.schema.media[].type',
  'c-video.schema.media[].text',
  'c-video.schema.media[].url',
  'c-video.schema.media[].asset_id',
  'c-video.schema.seconds',
  'c-video.schema.size',
  'c-video.schema.ratio',
  'c-video.schema.seed',
  'c-video.schema.watermark',
  'c-video.schema.generate_audio',
  'c-video.schema.return_last_frame',
  'c-video.schema.safety_identifier',
  'c-video.rate-limit',
  'c-video.strict',
  'c-video.account-has-agreed',
  'c-video.text-is-there',
  'c-video.role-fits-kind',
  'c-video.every-image-has-a-role',
  'c-video.frames-or-references',
  'c-video.role-counts',
  'c-video.last-frame-needs-first',
  'c-video.audio-is-not-alone',
  'c-video.high-resolution',
  'c-video.media-form',
  'c-video.media-can-be-had',
  'c-video.media-kind',
  'c-video.prompt-passes-moderation',
  'c-video.balance-is-positive',
  'c-video.tasks-in-flight',
  'c-video.room-for-task',
  'c-video.task-exists',
  'c-video.content-variant',
  'c-video.content-is-there',
  'c-video.range',
  'c-video.precondition',
  'd-assets.credentials',
  'd-assets.body-is-form',
  'd-assets.body-size',
  'd-assets.room-for-body',
  'd-assets.body-can-be-kept',
  'd-assets.rate-limit',
  'd-assets.file',
  'd-assets.strict',
  'd-assets.account-has-agreed',
  'd-assets.name-length',
  'd-assets.name-is-bare',
  'd-assets.file-type',
  'd-assets.file-bytes',
  'd-assets.group-is-known',
  'd-assets.assets-most',
  'd-assets.assets-bytes',
  'd-assets.room-for-asset',
  'd-assets.sides',
  'd-assets.ratio',
  'd-assets.seconds',
  'd-assets.frames-per-second',
  'd-assets.task-id',
  'd-assets.task-exists',
  'e-video-reference.credentials',
  'e-video-reference.content-type',
  'e-video-reference.body-is-json',
  'e-video-reference.body-size',
  'e-video-reference.room-for-body',
  'e-video-reference.body-can-be-kept',
  'e-video-reference.schema',
  'e-video-reference.schema.model',
  'e-video-reference.schema.subject_reference',
  'e-video-reference.schema.subject_reference[]',
  'e-video-reference.schema.subject_reference[].type',
  'e-video-reference.schema.subject_reference[].image',
  'e-video-reference.schema.subject_reference[].image[]',
  'e-video-reference.schema.image',
  'e-video-reference.schema.images',
  'e-video-reference.schema.prompt',
  'e-video-reference.schema.seconds',
  'e-video-reference.schema.size',
  'e-video-reference.schema.prompt_extend',
  'e-video-reference.schema.watermark',
  'e-video-reference.schema.seed',
  'e-video-reference.rate-limit',
  'e-video-reference.strict',
  'e-video-reference.account-has-agreed',
  'e-video-reference.subjects-stand-alone',
  'e-video-reference.prompt-is-not-empty',
  'e-video-reference.prompt-length',
  'e-video-reference.media-form',
  'e-video-reference.media-can-be-had',
  'e-video-reference.media-kind',
  'e-video-reference.prompt-passes-moderation',
  'e-video-reference.balance-is-positive',
  'e-video-reference.tasks-in-flight',
  'e-video-reference.room-for-task',
  'e-video-reference.task-exists',
  'f-video-v2.credentials',
  'f-video-v2.content-type',
  'f-video-v2.body-is-json',
  'f-video-v2.body-size',
  'f-video-v2.room-for-body',
  'f-video-v2.body-can-be-kept',
  'f-video-v2.schema',
  'f-video-v2.schema.model',
  'f-video-v2.schema.content',
  'f-video-v2.schema.content[]',
  'f-video-v2.schema.content[].type',
  'f-video-v2.schema.content[].text',
  'f-video-v2.schema.content[].role',
  'f-video-v2.schema.content[].image_url',
  'f-video-v2.schema.content[].image_url.url',
  'f-video-v2.schema.content[].video_url',
  'f-video-v2.schema.content[].video_url.url',
  'f-video-v2.schema.content[].audio_url',
  'f-video-v2.schema.content[].audio_url.url',
  'f-video-v2.schema.resolution',
  'f-video-v2.schema.duration',
  'f-video-v2.schema.ratio',
  'f-video-v2.schema.callback_url',
  'f-video-v2.schema.watermark',
  'f-video-v2.schema.aigc_watermark',
  'f-video-v2.rate-limit',
  'f-video-v2.strict',
  'f-video-v2.duration-is-given',
  'f-video-v2.text-is-there',
  'f-video-v2.text-length',
  'f-video-v2.model-takes-references',
  'f-video-v2.role-fits-kind',
  'f-video-v2.every-image-has-a-role',
  'f-video-v2.frames-or-references',
  'f-video-v2.role-counts',
  'f-video-v2.last-frame-needs-first',
  'f-video-v2.audio-is-not-alone',
  'f-video-v2.model-has-resolution',
  'f-video-v2.model-has-duration',
  'f-video-v2.media-form',
  'f-video-v2.media-can-be-had',
  'f-video-v2.media-kind',
  'f-video-v2.image-format',
  'f-video-v2.image-bytes',
  'f-video-v2.image-sides',
  'f-video-v2.image-ratio',
  'f-video-v2.video-format',
  'f-video-v2.video-codec',
  'f-video-v2.video-sound',
  'f-video-v2.video-bytes',
  'f-video-v2.video-sides',
  'f-video-v2.video-ratio',
  'f-video-v2.video-frame-rate',
  'f-video-v2.video-seconds',
  'f-video-v2.video-seconds-in-all',
  'f-video-v2.audio-format',
  'f-video-v2.audio-bytes',
  'f-video-v2.audio-seconds',
  'f-video-v2.audio-seconds-in-all',
  'f-video-v2.prompt-passes-moderation',
  'f-video-v2.balance-is-positive',
  'f-video-v2.tasks-in-flight',
  'f-video-v2.room-for-task',
  'f-video-v2.task-exists',
  'f-video-v2.cancelling',
  'results.one-authorization',
  'results.signature',
  'results.not-expired',
  'results.task-exists',
  'results.range',
  'results.precondition',
  'emulator.scenario-header',
] as const

/** A rule, as the journal and `GET /_backlot/rules` name it. */
export type RuleId = (typeof ruleIds)[number] | `${OutsideFamily}.${string}`

/** Settings and their former names. A value: the helpers for tests refuse a misspelt one without loading the schema. */
export const settingNames: readonly string[] = [
  'port',
  'host',
  'publicUrl',
  'trustedProxies',
  'tlsCert',
  'tlsKey',
  'allowedHosts',
  'corsOrigins',
  'controlToken',
  'signingSecret',
  'headersTimeoutMs',
  'requestTimeoutMs',
  'keepAliveTimeoutMs',
  'unreadTimeoutMs',
  'headerBytes',
  'requestsPerConnection',
  'requestsAtOncePerConnection',
  'bodyBytesAtOnce',
  'clock',
  'speed',
  'startAt',
  'timing',
  'seed',
  'scenario',
  'profile',
  'verified',
  'families',
  'familySettings',
  'account',
  'balance',
  'requestsPerMinute',
  'tasksInFlight',
  'imageQuota',
  'prices',
  'strict',
  'defaultImageSize',
  'a2Editing',
  'imageBodyBytes',
  'videoBodyBytes',
  'moderationWords',
  'requireAssets',
  'videoStatusWords',
  'metadataUrl',
  'resultAuthorization',
  'allowAudioOnly',
  'fetchMedia',
  'groups',
  'callbackHosts',
  'callbackTimeoutScale',
  'maxConnections',
  'maxAccounts',
  'tasksPerAccount',
  'tasksInAll',
  'taskBytes',
  'journalEntries',
  'journalBytes',
  'callbackLogEntries',
  'callbacksLoggedInAll',
  'callbacksAtOnce',
  'inboxBytes',
  'maxScenarios',
  'waitsAtOnce',
  'journalBodyBytes',
  'media',
  'mediaCache',
  'mediaFolder',
  'mediaDiskBytes',
  'mediaMemoryBytes',
  'assetImageBytes',
  'assetVideoBytes',
  'assetAudioBytes',
  'assetTotalBytes',
  'maxAssets',
  'assetsInAll',
  'uploadsAtOnce',
  'inputBytes',
  'rendersAtOnce',
  'rendersWaiting',
  'renderTimeoutMs',
  'ffmpeg',
  'state',
  'stateFresh',
  'stateTakeOver',
  'stateFsync',
  'stateDelayMs',
  'store',
  'storePrefix',
  'storeExpiryMs',
  'storeInputBytes',
  'stateBodyBytes',
  'maxSnapshots',
  'logFile',
  'logLevel',
  'connectionsMost',
  'accountsMost',
  'scenariosMost',
  'assetsMost',
  'snapshotsMost',
]

/** An operation, or all of a family: `b-video-task.*`. Those of `routes` are of a profile. */
export type OperationPattern = OperationName | `${FamilyName}.*` | `routes.${string}`

/** A rule, or the beginning of some: `a-image.schema`. */
export type RulePattern = RuleId | BeginningOf<RuleId>

type BeginningOf<Id extends string> = Id extends `${infer Head}.${infer Tail}`
  ? Head | `${Head}.${BeginningOf<Tail>}`
  : never
