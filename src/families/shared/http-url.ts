/** Whether a text is an HTTP or HTTPS URL as it stands: readers of URLs would take blanks around it, and add a host that is not there. */
export const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/\\](.*\S)?$/is.test(text) && URL.canParse(text)
