// A process that asks for admission the moment it is told to.
import { once } from 'node:events';
import { openStore } from '../../dist/store/open.js';

const [folder, session] = process.argv.slice(2);
const store = openStore(folder);
process.send('ready');
await once(process, 'message');
const { admitted } = await store.plans.admit(session);
process.send(admitted);
store.close();
process.disconnect();
