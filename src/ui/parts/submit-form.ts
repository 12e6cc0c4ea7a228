import { runAction } from '../app.js'

/**
 * Runs an action with the fields of a form that is sent. After it the form begins anew, unless it was changed meanwhile;
 * where the action fails, it stays as it is.
 */
export const submitForm = (
  event: { readonly currentTarget: HTMLFormElement; preventDefault(): void },
  run: (fields: FormData) => Promise<unknown>,
): void => {
  event.preventDefault()
  const form = event.currentTarget
  const fields = new FormData(form)
  runAction(async () => {
    await run(fields)
    if (textOf(new FormData(form)) === textOf(fields)) form.reset()
  })
}

const textOf = (fields: FormData): string => JSON.stringify([...fields])
