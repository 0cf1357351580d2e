// A real process that prepares a task, does its work and delivers it. argv: <request as JSON>
import { writeFileSync } from 'node:fs';
import { loadConfig } from '../../dist/config/load-config.js';
import { prepareFor } from '../../dist/tasks/prepare/prepare-for.js';

const { dir, mode, claim, request } = JSON.parse(process.argv[2]);
const repository = { url: '', base: 'main', path: '', workspace: '', api: '' };
const prepare = prepareFor(mode, { config: loadConfig(dir), repository });
const tree = await prepare(claim, new AbortController().signal);
writeFileSync(`${tree.path}/made.txt`, 'made\n');
await tree.taskTree.changes();
await tree.deliver(request);
