// Tells as JSON what it was given: arguments, folder, environment and, with --stdin, its standard input.
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const input = args.includes('--stdin') ? readFileSync(0, 'utf8') : undefined;
process.stdout.write(JSON.stringify({ args, cwd: process.cwd(), env: process.env, input }));
