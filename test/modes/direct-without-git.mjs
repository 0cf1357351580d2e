// A direct task in a process that finds no git. argv: <project>
import { writeFileSync } from 'node:fs';
import { loadConfig } from '../../dist/config/load-config.js';
import { prepareFor } from '../../dist/tasks/prepare/prepare-for.js';

const [dir] = process.argv.slice(2);
const repository = { url: '', base: 'main', path: '', workspace: '', api: '' };
const task = { id: 'T1', allowedPaths: [], deniedPaths: [] };
const prepare = prepareFor('direct', { config: loadConfig(dir), repository });
const tree = await prepare({ task, runId: 'r1', sessionId: 's1' }, new AbortController().signal);
const before = await tree.tree.identity();
writeFileSync(`${tree.path}/made.txt`, 'made\n');
const changes = await tree.taskTree.changes();
const delivery = await tree.deliver({ title: 't', goal: 'g', evidence: '', cost: '' });
const isNew = (await tree.tree.identity()) !== before;
const types = delivery.artifacts.map(({ type }) => type);
const compared = (await tree.inspection.base()) !== undefined;
process.stdout.write(JSON.stringify({ changes, types, isNew, compared }));
