// A process that asks for admission the moment it is told to.
import { once } from 'node:events';
import { Database } from '../../dist/store/database.js';
import { ChangePlans } from '../../dist/workspace/plan/change-plans.js';

const [file, session] = process.argv.slice(2);
const database = Database.open(file);
process.send('ready');
await once(process, 'message');
const { admitted } = await new ChangePlans(database).admit(session);
process.send(admitted);
database.close();
process.disconnect();
