const INTERVAL_MS = 250;

/**
 * npm puts a shell between itself and this process, and that shell dies of a SIGTERM without passing it on.
 * So where npm started us, the end of the shell counts as the signal, and no server is left behind.
 */
export function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  watch.unref();
}
