/** What an operation is for, what it takes and what it answers, by the names under which these are published. */
export interface OperationDoc {
  readonly says: string
  /** The body; left out where there is none, or a form. */
  readonly takes?: string
  /** The query; left out where there is none. */
  readonly asks?: string
  /** The body of the answer; left out where it is a file. */
  readonly answers?: string
  /** The type of a file that is the answer; left out where it is JSON. */
  readonly file?: string
  readonly refuses: string
}

/** Every operation of the service. */
export const operationDocs: Readonly<Record<string, OperationDoc>> = {
  'a-image.create': {
    says: 'Make or edit pictures',
    takes: 'ImageRequest',
    answers: 'ImageAnswer',
    refuses: 'ImageProblem',
  },
  'a2-image.create': {
    says: 'Make pictures with the second model',
    takes: 'Image2Request',
    answers: 'Image2Answer',
    refuses: 'ImageProblem',
  },
  'b-video-task.create': {
    says: 'Create a video task',
    takes: 'VideoTaskRequest',
    answers: 'VideoTaskCreated',
    refuses: 'VideoTaskProblem',
  },
  'b-video-task.read': {
    says: 'Query a video task',
    answers: 'VideoTask',
    refuses: 'VideoTaskProblem',
  },
  'b-video-task.list': {
    says: 'List video tasks',
    asks: 'VideoTaskListQuery',
    answers: 'VideoTaskList',
    refuses: 'VideoTaskProblem',
  },
  'b-video-task.cancel': {
    says: 'Cancel or delete a video task',
    answers: 'VideoTaskCancelled',
    refuses: 'VideoTaskProblem',
  },
  'c-video.create': {
    says: 'Create a video',
    takes: 'UnifiedVideoRequest',
    answers: 'UnifiedVideoCreated',
    refuses: 'UnifiedVideoProblem',
  },
  'c-video.read': {
    says: 'Query a video',
    answers: 'UnifiedVideo',
    refuses: 'UnifiedVideoProblem',
  },
  'c-video.content': {
    says: 'Get the bytes of a video',
    file: 'video/mp4',
    refuses: 'UnifiedVideoProblem',
  },
  'd-assets.upload': {
    says: 'Upload a file to the asset library',
    answers: 'AssetUploaded',
    refuses: 'AssetProblem',
  },
  'd-assets.resolve': {
    says: 'Ask for the asset of an upload',
    asks: 'AssetJobQuery',
    answers: 'AssetJob',
    refuses: 'AssetProblem',
  },
  'e-video-reference.create': {
    says: 'Create a video of given characters',
    takes: 'ReferenceVideoRequest',
    answers: 'ReferenceVideoCreated',
    refuses: 'UnifiedVideoProblem',
  },
  'e-video-reference.read': {
    says: 'Query a video of given characters',
    answers: 'ReferenceVideo',
    refuses: 'UnifiedVideoProblem',
  },
  'f-video-v2.create': {
    says: 'Create a second-generation video',
    takes: 'VideoV2Request',
    answers: 'VideoV2Created',
    refuses: 'VideoV2Problem',
  },
  'f-video-v2.read': {
    says: 'Query a second-generation video',
    answers: 'VideoV2Answer',
    refuses: 'VideoV2Problem',
  },
  'f-video-v2.cancel': {
    says: 'Cancel a queued video',
    answers: 'VideoV2Cancelled',
    refuses: 'VideoV2Problem',
  },
}
