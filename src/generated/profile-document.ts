// Written by `npm run generate` from src/emulator/profile/schema.ts. Change that.

/** A profile: what is different in your service, as data. docs/profiles.md says more. */
export interface ProfileDocument {
  /** For editors; ignored. */
  $schema?: string | undefined
  /** What it describes, in a sentence. */
  description?: string | undefined
  /** The version of Backlot that wrote the file. */
  writtenBy?: string | undefined
  /** New models, and what differs in known ones. */
  models?: Record<string, ProfileModel> | undefined
  /** Other prefixes for provA, provB, provC and v1; a list keeps several, null means none. */
  paths?: Record<string, string | null | readonly string[]> | undefined
  /** Rows of the tables of errors, by family. */
  errors?:
    | Record<
        string,
        Record<
          string,
          {
            /** 400 to 599. */
            status?: number | undefined
            /** The word in `code`; default: the name of the row. */
            code?: string | undefined
            /** The word in `type`, in families whose errors have one. */
            type?: string | undefined
            /** The number that F adds to its messages. */
            number?: number | undefined
            /** A sentence without a full stop. */
            message?: string | undefined
          }
        >
      >
    | undefined
  /** The row that answers a case that every family has, by family. */
  cases?: Record<string, Record<string, string>> | undefined
  /** By the id of the rule: off, its bounds by their names, or the error that it answers with. */
  rules?: Record<string, 'off' | Record<string, number | string>> | undefined
  /** By operation, such as c-video.read; behind an @ a state, refusal or an error. */
  answers?: Record<string, ProfileAnswer> | undefined
  /** How long tasks wait and run, by family. */
  timing?: Record<string, ProfileTiming> | undefined
  /** An object with at least one of requestsPerMinute, tasksInFlight, headers. */
  rateLimits?:
    | {
        /** Creates and uploads accepted in any 60 seconds of the account clock. */
        requestsPerMinute?: number | null | undefined
        /** Tasks that have not ended. */
        tasksInFlight?: number | null | undefined
        /** Headers of creates and uploads by what they say: limit, remaining, reset (Unix seconds) or resetSeconds. */
        headers?: Record<string, 'limit' | 'remaining' | 'reset' | 'resetSeconds'> | undefined
      }
    | undefined
  /** By family. */
  callbacks?: Record<string, ProfileCallbacks> | undefined
  /** Endpoints beside the families. */
  routes?: readonly ProfileRoute[] | undefined
}

/** A model, by what differs from the one that it is like. */
export interface ProfileModel {
  /** The model that a new one is like but for what is said here. */
  like?: string | undefined
  /** The shortest and the longest video; exactly 2 items. */
  seconds?: readonly [number, number] | undefined
  /** Names of sizes that the family has, or sizes with the pixels of each ratio. */
  sizes?:
    | readonly string[]
    | Record<
        string,
        Record<
          string,
          {
            /** 2 to 8192. */
            width: number
            /** 2 to 8192. */
            height: number
          }
        >
      >
    | undefined
  /** Those of its sizes that are made from text alone. */
  sizesFromText?: readonly string[] | undefined
  /** At least 1 item. */
  ratios?: readonly string[] | undefined
  /** The ways in which it can be asked for a video; at least 1 item. */
  modes?: readonly ('text' | 'first-frame' | 'first-last-frame' | 'reference')[] | undefined
  /** Whether a last frame needs no first one (F). */
  lastFrameAlone?: boolean | undefined
  /** Whether its videos can have sound. */
  sound?: boolean | undefined
  /** 1 to 240. */
  framesPerSecond?: number | undefined
  /** Price of a second, for all sizes or by size. */
  price?: number | Record<string, number> | undefined
}

/** How an answer differs. Fields are named by their paths. */
export interface ProfileAnswer {
  /** HTTP status; 200 to 599. */
  status?: number | undefined
  /** Fields that the answer does not have; at least 1 item. */
  remove?: readonly string[] | undefined
  /** Fields that have another name, in the same place. */
  rename?: Record<string, string> | undefined
  /** Fields that stand elsewhere. */
  move?: Record<string, string> | undefined
  /** The field under which the whole body stands; null: none, where a wider row names one. */
  wrap?: string | null | undefined
  /** Fields with another value, of the answer as it goes out. */
  set?: Record<string, unknown> | undefined
  /** By name; null takes the header away. */
  headers?: Record<string, string | null> | undefined
}

/** How long the tasks of a family wait and run. */
export interface ProfileTiming {
  /** From the create until it runs. */
  queued?:
    | string
    | number
    | readonly [string | number, string | number]
    | {
        median: string | number
        p95: string | number
      }
    | undefined
  /** From then until it ends. */
  running?:
    | string
    | number
    | readonly [string | number, string | number]
    | {
        median: string | number
        p95: string | number
      }
    | undefined
  /** An object with at least one model. */
  models?:
    | Record<
        string,
        {
          /** From the create until it runs. */
          queued?:
            | string
            | number
            | readonly [string | number, string | number]
            | {
                median: string | number
                p95: string | number
              }
            | undefined
          /** From then until it ends. */
          running?:
            | string
            | number
            | readonly [string | number, string | number]
            | {
                median: string | number
                p95: string | number
              }
            | undefined
          /** By the size or resolution of the task. */
          sizes?:
            | Record<
                string,
                {
                  /** From the create until it runs. */
                  queued?:
                    | string
                    | number
                    | readonly [string | number, string | number]
                    | {
                        median: string | number
                        p95: string | number
                      }
                    | undefined
                  /** From then until it ends. */
                  running?:
                    | string
                    | number
                    | readonly [string | number, string | number]
                    | {
                        median: string | number
                        p95: string | number
                      }
                    | undefined
                }
              >
            | undefined
        }
      >
    | undefined
  /** By the size or resolution of the task. */
  sizes?:
    | Record<
        string,
        {
          /** From the create until it runs. */
          queued?:
            | string
            | number
            | readonly [string | number, string | number]
            | {
                median: string | number
                p95: string | number
              }
            | undefined
          /** From then until it ends. */
          running?:
            | string
            | number
            | readonly [string | number, string | number]
            | {
                median: string | number
                p95: string | number
              }
            | undefined
        }
      >
    | undefined
  /** Only where the setting timing is realistic. */
  realistic?:
    | {
        /** From the create until it runs. */
        queued?:
          | string
          | number
          | readonly [string | number, string | number]
          | {
              median: string | number
              p95: string | number
            }
          | undefined
        /** From then until it ends. */
        running?:
          | string
          | number
          | readonly [string | number, string | number]
          | {
              median: string | number
              p95: string | number
            }
          | undefined
        /** An object with at least one model. */
        models?:
          | Record<
              string,
              {
                /** From the create until it runs. */
                queued?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** From then until it ends. */
                running?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** By the size or resolution of the task. */
                sizes?:
                  | Record<
                      string,
                      {
                        /** From the create until it runs. */
                        queued?:
                          | string
                          | number
                          | readonly [string | number, string | number]
                          | {
                              median: string | number
                              p95: string | number
                            }
                          | undefined
                        /** From then until it ends. */
                        running?:
                          | string
                          | number
                          | readonly [string | number, string | number]
                          | {
                              median: string | number
                              p95: string | number
                            }
                          | undefined
                      }
                    >
                  | undefined
              }
            >
          | undefined
        /** By the size or resolution of the task. */
        sizes?:
          | Record<
              string,
              {
                /** From the create until it runs. */
                queued?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** From then until it ends. */
                running?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
              }
            >
          | undefined
      }
    | undefined
  /** Only where the setting timing is fast. */
  fast?:
    | {
        /** From the create until it runs. */
        queued?:
          | string
          | number
          | readonly [string | number, string | number]
          | {
              median: string | number
              p95: string | number
            }
          | undefined
        /** From then until it ends. */
        running?:
          | string
          | number
          | readonly [string | number, string | number]
          | {
              median: string | number
              p95: string | number
            }
          | undefined
        /** An object with at least one model. */
        models?:
          | Record<
              string,
              {
                /** From the create until it runs. */
                queued?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** From then until it ends. */
                running?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** By the size or resolution of the task. */
                sizes?:
                  | Record<
                      string,
                      {
                        /** From the create until it runs. */
                        queued?:
                          | string
                          | number
                          | readonly [string | number, string | number]
                          | {
                              median: string | number
                              p95: string | number
                            }
                          | undefined
                        /** From then until it ends. */
                        running?:
                          | string
                          | number
                          | readonly [string | number, string | number]
                          | {
                              median: string | number
                              p95: string | number
                            }
                          | undefined
                      }
                    >
                  | undefined
              }
            >
          | undefined
        /** By the size or resolution of the task. */
        sizes?:
          | Record<
              string,
              {
                /** From the create until it runs. */
                queued?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** From then until it ends. */
                running?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
              }
            >
          | undefined
      }
    | undefined
  /** Only where the setting timing is instant. */
  instant?:
    | {
        /** From the create until it runs. */
        queued?:
          | string
          | number
          | readonly [string | number, string | number]
          | {
              median: string | number
              p95: string | number
            }
          | undefined
        /** From then until it ends. */
        running?:
          | string
          | number
          | readonly [string | number, string | number]
          | {
              median: string | number
              p95: string | number
            }
          | undefined
        /** An object with at least one model. */
        models?:
          | Record<
              string,
              {
                /** From the create until it runs. */
                queued?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** From then until it ends. */
                running?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** By the size or resolution of the task. */
                sizes?:
                  | Record<
                      string,
                      {
                        /** From the create until it runs. */
                        queued?:
                          | string
                          | number
                          | readonly [string | number, string | number]
                          | {
                              median: string | number
                              p95: string | number
                            }
                          | undefined
                        /** From then until it ends. */
                        running?:
                          | string
                          | number
                          | readonly [string | number, string | number]
                          | {
                              median: string | number
                              p95: string | number
                            }
                          | undefined
                      }
                    >
                  | undefined
              }
            >
          | undefined
        /** By the size or resolution of the task. */
        sizes?:
          | Record<
              string,
              {
                /** From the create until it runs. */
                queued?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
                /** From then until it ends. */
                running?:
                  | string
                  | number
                  | readonly [string | number, string | number]
                  | {
                      median: string | number
                      p95: string | number
                    }
                  | undefined
              }
            >
          | undefined
      }
    | undefined
}

/** How a family sends its callbacks. */
export interface ProfileCallbacks {
  /** Whether a challenge comes first; required: a create whose challenge fails is refused. */
  handshake?: 'off' | 'on' | 'required' | boolean | undefined
  /** The pauses before the retries; as many as there are: [1s, 5s, 30s]; at most 20 items. */
  retries?: readonly (string | number)[] | undefined
  /** How long a receiver has to answer a message, in real time. */
  timeout?: string | number | undefined
  /** How long it has to answer the challenge. */
  challengeTimeout?: string | number | undefined
  /** A text without {timestamp}, where no header timestamp holds it. */
  signature?:
    | {
        /** The header that holds the signature. */
        header: string
        /** The key of the HMAC (SHA-256). */
        secret: string
        /** The header that holds the Unix seconds of the message; default: none. */
        timestamp?: string | undefined
        /** The text that is signed, of {timestamp}, {id} and {body}; default: {timestamp}.{body}, or {body} without a timestamp. */
        signs?: string | undefined
        /** Default: hex. */
        encoding?: 'hex' | 'base64' | undefined
        /** What stands before the signature, such as sha256=. */
        prefix?: string | undefined
      }
    | undefined
}

/** An endpoint beside the families, which the profile answers or forwards. */
export interface ProfileRoute {
  /** The operation is called routes.<id>. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary?: string | undefined
  /** Whether a call without a key is refused; default: true. */
  needsKey?: boolean | undefined
  /** One of body, text and file. */
  answer?:
    | {
        /** Default: 200; 200 to 599. */
        status?: number | undefined
        headers?: Record<string, string> | undefined
        /** JSON, with templates such as {{body.model}}. */
        body?: unknown
        /** A text, with templates. */
        text?: string | undefined
        /** A file that is sent as it is; its path counts from that of the profile. */
        file?: string | undefined
      }
    | undefined
  /** The host that answers instead, and what its paths begin with. */
  forward?: string | undefined
  /** How long that host has to answer, in real time; default: 30s. */
  timeout?: string | number | undefined
}
