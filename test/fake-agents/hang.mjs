// Never ends by itself. `--ignore-term`: not even when asked to. Says so once it is ready.
if (process.argv.includes('--ignore-term')) process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
process.stdout.write('ready\n');
