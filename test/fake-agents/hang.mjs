// Does not end by itself (in ten minutes it does, so that it does not outlive a killed test run for ever).
// `--ignore-term`: not even when asked to. Says so once it is ready.
if (process.argv.includes('--ignore-term')) process.on('SIGTERM', () => {});
setTimeout(() => {}, 600_000);
process.stdout.write('ready\n');
