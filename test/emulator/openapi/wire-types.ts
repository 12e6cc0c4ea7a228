import { expectTypeOf } from 'vitest'
import type { z } from 'zod'
import type { apiOf as image } from '../../../src/emulator/families/a-image/responses.js'
import type { schemaOf as imageRequest } from '../../../src/emulator/families/a-image/schema.js'
import type {
  apiOf as image2,
  schemaOf as image2Request,
} from '../../../src/emulator/families/a2-image/index.js'
import type { apiOf as videoTask } from '../../../src/emulator/families/b-video-task/responses.js'
import type { schemaOf as taskRequest } from '../../../src/emulator/families/b-video-task/schema.js'
import type { apiOf as unifiedVideo } from '../../../src/emulator/families/c-video/responses.js'
import type { schemaOf as unifiedRequest } from '../../../src/emulator/families/c-video/schema.js'
import type { api as assets } from '../../../src/emulator/families/d-assets/responses.js'
import type { schemaOf as referenceRequest } from '../../../src/emulator/families/e-video-reference/schema.js'
import type { apiOf as videoV2 } from '../../../src/emulator/families/f-video-v2/responses.js'
import type { schemaOf as videoV2Request } from '../../../src/emulator/families/f-video-v2/schema.js'
import type { ImageAnswer, ImageProblem, ImageRequest } from '../../../src/generated/wire/a-image.js'
import type { Image2Answer, Image2Request } from '../../../src/generated/wire/a2-image.js'
import type { VideoTask, VideoTaskList, VideoTaskRequest } from '../../../src/generated/wire/b-video-task.js'
import type { UnifiedVideo, UnifiedVideoRequest } from '../../../src/generated/wire/c-video.js'
import type { AssetJob } from '../../../src/generated/wire/d-assets.js'
import type { ReferenceVideoRequest } from '../../../src/generated/wire/e-video-reference.js'
import type { VideoV2Answer, VideoV2Request } from '../../../src/generated/wire/f-video-v2.js'

/** A body whose optional fields may be null, which counts as not sent (gap X13). */
type WithNulls<T> = T extends readonly (infer Item)[]
  ? WithNulls<Item>[]
  : T extends object
    ? { [Key in keyof T]: WithNulls<T[Key]> | (undefined extends T[Key] ? null : never) }
    : T

// Type tests: published types take what the schemas take, and give what they give. `tsc` checks them; nothing of them runs.
expectTypeOf<ImageRequest['input']>().toEqualTypeOf<
  WithNulls<z.input<ReturnType<typeof imageRequest>>['input']>
>()
expectTypeOf<NonNullable<ImageRequest['parameters']>>().toEqualTypeOf<
  NonNullable<WithNulls<z.input<ReturnType<typeof imageRequest>>>['parameters']>
>()
expectTypeOf<Image2Request['input']>().toEqualTypeOf<
  WithNulls<z.input<ReturnType<typeof image2Request>>['input']>
>()
expectTypeOf<NonNullable<Image2Request['parameters']>>().toEqualTypeOf<
  NonNullable<WithNulls<z.input<ReturnType<typeof image2Request>>>['parameters']>
>()
expectTypeOf<VideoTaskRequest>().toEqualTypeOf<WithNulls<z.input<ReturnType<typeof taskRequest>>>>()
expectTypeOf<UnifiedVideoRequest>().toEqualTypeOf<WithNulls<z.input<ReturnType<typeof unifiedRequest>>>>()
expectTypeOf<ReferenceVideoRequest>().toEqualTypeOf<
  WithNulls<Omit<z.input<ReturnType<typeof referenceRequest>>, 'image' | 'images'>>
>()
expectTypeOf<VideoV2Request>().toEqualTypeOf<WithNulls<z.input<ReturnType<typeof videoV2Request>>>>()

expectTypeOf<ImageAnswer>().toEqualTypeOf<z.output<ReturnType<typeof image>['responses']['ImageAnswer']>>()
expectTypeOf<ImageProblem>().toEqualTypeOf<z.output<ReturnType<typeof image>['responses']['ImageProblem']>>()
expectTypeOf<Image2Answer>().toEqualTypeOf<z.output<ReturnType<typeof image2>['responses']['Image2Answer']>>()
expectTypeOf<VideoTask>().toEqualTypeOf<z.output<ReturnType<typeof videoTask>['responses']['VideoTask']>>()
expectTypeOf<VideoTaskList>().toEqualTypeOf<
  z.output<ReturnType<typeof videoTask>['responses']['VideoTaskList']>
>()
expectTypeOf<UnifiedVideo>().toEqualTypeOf<
  z.output<ReturnType<typeof unifiedVideo>['responses']['UnifiedVideo']>
>()
expectTypeOf<AssetJob>().toEqualTypeOf<z.output<(typeof assets)['responses']['AssetJob']>>()
expectTypeOf<VideoV2Answer>().toEqualTypeOf<
  z.output<ReturnType<typeof videoV2>['responses']['VideoV2Answer']>
>()
