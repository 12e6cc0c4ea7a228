import { runAction } from '../app.js'

/**
 * Runs an action with the fields of a form that is sent. After it the form begins anew, unless the user has changed it
 * meanwhile; where the action fails, it stays as it is.
 */
export const submitForm = (
  event: { readonly currentTarget: HTMLFormElement; preventDefault(): void },
  run: (fields: FormData) => Promise<unknown>,
): void => {
  event.preventDefault()
  const form = event.currentTarget
  let isChanged = false
  const onInput = () => {
    isChanged = true
  }
  form.addEventListener('input', onInput, { once: true })
  runAction(async () => {
    await run(new FormData(form))
    if (!isChanged) form.reset()
  })
}
