// Tells what it is connected to, and its size again whenever that changes. Ends when it is told to `quit`.
const tell = () => {
  const { columns, rows } = process.stdout;
  process.stdout.write(
    `${JSON.stringify({ isTTY: process.stdout.isTTY ?? false, columns, rows, term: process.env.TERM })}\n`,
  );
};
process.stdout.on('resize', tell);
process.stdin.on('data', (text) => {
  if (String(text).includes('quit')) process.exit(0);
});
tell();
