/** Loaded before a program, it says at its end how many seconds of processor time it has used up: the last line of standard error. */
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  console.error((user + system) / 1e6)
})
