import type { TaskRecord } from '../../generated/control-api.js'
import { account, invoke, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { CopyValue } from '../parts/copy.js'
import { JsonView } from '../parts/json.js'
import { Detail, Facts, Message, Section } from '../parts/layout.js'
import { Link } from '../parts/link.js'
import { TaskResults } from '../parts/poster.js'
import { isFinal, StatusMark } from '../parts/status.js'
import { FullTime, Time } from '../parts/time.js'
import { useFetch } from '../parts/use-fetch.js'
import { taskRow } from '../state/timeline-rows.js'

/** One task: its moments, everything about it in the order in which it happened, and what it was asked to be. */
export const TaskDetail = ({ id }: { id: string }) => {
  const task = tasks.value.find((candidate) => candidate.id === id)
  // The list has no more of its order than the prompt.
  const { data: whole } = useFetch('tasks.read', { id }, [task?.requestId])
  return (
    <Detail label="Task">
      {task === undefined ? (
        <Message
          isError
          text={`This account has no task ${id}.`}
          hint="It was deleted or evicted, or is of another account."
        />
      ) : (
        <>
          <h2 class="detail-title">
            <StatusMark status={task.status} /> {task.family}
          </h2>
          <TaskResults task={task} />
          <Facts
            entries={[
              ['id', <CopyValue value={task.id} />],
              ['model', task.model],
              ['since', <FullTime at={task.since} />],
              ['progress', `${task.progress} %`],
              ['price', task.price],
              ['callback', task.callbackUrl && <CopyValue value={task.callbackUrl} />],
              ['made by', <Link to={{ view: 'requests', id: task.requestId }}>the request</Link>],
            ]}
          />
          {!isFinal(task.status) && (
            <div class="buttons force">
              <Button onClick={() => invoke('tasks.force', { id, status: 'succeeded' })}>
                Let it succeed now
              </Button>
              <Button onClick={() => invoke('tasks.force', { id, status: 'failed' })}>Let it fail now</Button>
            </div>
          )}
          <Section title="Moments">
            <table>
              <tbody>
                {task.timeline.map(({ at, status, error }) => (
                  <tr key={`${at} ${status}`}>
                    <td>
                      <Time at={at} />
                    </td>
                    <td>
                      <StatusMark status={status} /> {error}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Section>
          <TaskHistory task={task} />
          <Section title="Order, with everything resolved">
            {whole !== undefined && <JsonView value={whole.order} />}
          </Section>
        </>
      )}
    </Detail>
  )
}

const MAX_HISTORY = 200

const TaskHistory = ({ task }: { task: TaskRecord }) => {
  const { requestsOf, callbacksOf } = account.value
  const marks = taskRow(task, requestsOf(task.id), callbacksOf(task.id)).marks.toReversed()
  if (marks.length === 0) return null
  return (
    <Section title="Calls and callbacks, newest first">
      <table>
        <tbody>
          {marks.slice(0, MAX_HISTORY).map(({ at, label, opens }) => (
            <tr key={`${at} ${label()} ${opens?.id}`}>
              <td>
                <Time at={new Date(at).toISOString()} />
              </td>
              <td>{opens === undefined ? label() : <Link to={opens}>{label()}</Link>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {marks.length > MAX_HISTORY && <p class="quiet">and {marks.length - MAX_HISTORY} earlier ones</p>}
    </Section>
  )
}
