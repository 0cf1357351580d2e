// Prints its first argument to standard output, its second to standard error, ends with the third as exit code.
import { writeSync } from 'node:fs';

const [, , output = '', errors = '', exitCode = '0'] = process.argv;
writeSync(1, output);
writeSync(2, errors);
process.exitCode = Number(exitCode);
