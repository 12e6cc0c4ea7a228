/** Text as it stands in HTML, in attributes too. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Table in HTML. The cells are HTML already; a row may have a class. */
export const htmlTable = (
  head: readonly string[],
  rows: readonly { readonly cells: readonly string[]; readonly className?: string }[],
): string =>
  [
    '<div class="table"><table>',
    `<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map(
      ({ cells, className = '' }) =>
        `<tr class="${className}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
    ),
    '</tbody></table></div>',
  ].join('\n')

const STYLE = `
:root { color-scheme: light dark; --text: #1d2127; --quiet: #59616b; --ground: #fff; --line: #d6dae0;
  --good: #17693a; --fair: #8a5a00; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --quiet: #a3abb5; --ground: #15181c; --line: #363c44;
  --good: #6fcf97; --fair: #f2c15a; --bad: #ff8a80; } }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } .quiet { color: var(--quiet); }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; }
code, pre { font: 13px/1.5 ui-monospace, monospace; } pre { overflow-x: auto; margin: .25rem 0; white-space: pre-wrap; }
summary { cursor: pointer; }
.good { color: var(--good); } .fair { color: var(--fair); } .bad { color: var(--bad); font-weight: 600; }
`

/** Whole HTML page of a report: style included, no script, no request to anywhere. `body` is HTML. */
export const htmlPage = ({
  title,
  intro,
  body,
}: {
  readonly title: string
  /** Plain sentences under the title. */
  readonly intro: readonly string[]
  readonly body: string
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${intro.map((sentence) => `<p class="quiet">${escapeHtml(sentence)}</p>`).join('\n')}
${body}
</main>
</body>
</html>
`
