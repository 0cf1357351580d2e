import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Plans } from '../../backlog/plans.ts';
import { errorCode } from '../../kernel/errors.ts';

const FILE = 'plan.json';
const schema = z.object({ plan: z.array(z.string()), priority: z.number() });

/** Puts the plan of a session into its folder, so that it goes along to another clone. */
export async function packPlan(plans: Plans, id: string, sessionFolder: string): Promise<void> {
  const place = (await plans.sessions()).find((session) => session.id === id);
  if (!place) return;
  const packed = { plan: await plans.planOf(id), priority: place.priority };
  writeFileSync(join(sessionFolder, FILE), JSON.stringify(packed));
}

/** Puts a session that came from elsewhere in line with the plan it had there; it blocks others until it goes on. */
export async function unpackPlan(plans: Plans, id: string, sessionFolder: string): Promise<void> {
  const packed = readPacked(join(sessionFolder, FILE));
  if (!packed || (await plans.sessions()).some((session) => session.id === id)) return;
  await plans.enter(id, packed.plan, { priority: packed.priority });
  await plans.hold(id);
}

function readPacked(file: string): z.infer<typeof schema> | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
