// Written by `npm run generate` from the schemas of the families. Change those.

export type ContentItem =
  | {
      type: 'text'
      text: string
    }
  | {
      type: 'image_url'
      image_url: {
        url: string
      }
      role?:
        | 'first_frame'
        | 'last_frame'
        | 'reference_image'
        | 'reference_video'
        | 'reference_audio'
        | undefined
    }
  | {
      type: 'video_url'
      video_url: {
        url: string
      }
      role?:
        | 'first_frame'
        | 'last_frame'
        | 'reference_image'
        | 'reference_video'
        | 'reference_audio'
        | undefined
    }
  | {
      type: 'audio_url'
      audio_url: {
        url: string
      }
      role?:
        | 'first_frame'
        | 'last_frame'
        | 'reference_image'
        | 'reference_video'
        | 'reference_audio'
        | undefined
    }
