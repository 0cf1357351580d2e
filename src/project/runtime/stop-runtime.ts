import { ConflictError, NotFoundError } from '../../kernel/errors.ts';
import { processState } from '../../process/identity.ts';
import type { OpenProject } from '../open.ts';
import { refuseDecidingInside } from '../runs/nested.ts';
import { runtimes } from './list-runtimes.ts';

/** Asks a runtime to park what it does and to end; gives its process. Only the very process that entered is asked. */
export async function stopRuntime(opened: OpenProject, id: string): Promise<number> {
  refuseDecidingInside();
  const known = (await runtimes(opened)).find((runtime) => runtime.id === id);
  if (!known) throw new NotFoundError(`There is no runtime ${id}.`);
  if (processState(known.process) !== 'alive')
    throw new ConflictError(`The process of runtime ${known.name} is not here, or is gone.`, {
      next: 'What it worked on is taken over by the next runtime.',
    });
  process.kill(known.process.pid, 'SIGTERM');
  return known.process.pid;
}
