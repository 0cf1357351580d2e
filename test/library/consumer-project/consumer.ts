import {
  AdapterRegistry,
  AgentRunner,
  type BlockOf,
  defineWorkflow,
  documents,
  eventShape,
  foldEvent,
  HeadlessRunner,
  type JsonEvent,
  type LiveSession,
  LoopwrightError,
  NOT_STARTED,
  type NodeOf,
  Orchestrator,
  openProject,
  PROBLEM_KINDS,
  type ProblemKind,
  type Project,
  pass,
  type RunningSession,
  type SessionResult,
  type SignalOf,
  segment,
  type WorkEvent,
} from 'loopwright';
import manifestSchema from 'loopwright/schema/manifest.json' with { type: 'json' };

/** Uses the package as a strict program would; it is compiled, not run. */
export async function useProject(dir: string): Promise<ProblemKind | undefined> {
  const project: Project = openProject(dir);
  try {
    const run: RunningSession = await project.run('goal', { budget: { usd: 1 }, plan: ['src/**'] });
    let live: LiveSession = NOT_STARTED;
    for await (const event of run.events) {
      const known: JsonEvent = event;
      live = foldEvent(live, known, Date.now());
      if (event.type === 'step.finished') console.log(event.entry.block, event.entry.signal);
    }
    const end: SessionResult = await run.ended;
    const { files } = await project.diff(end.id, { step: 1 });
    console.log(
      live.status,
      files.map(({ path }) => path),
    );
    const accepted = await project.accept(end.id, { merge: true });
    console.log(accepted.kind, accepted.base);
    for await (const { task, text } of (await project.logs(end.id)).pieces) console.log(task, text);
    const working = await project.work({ once: true, role: 'worker' });
    working.events.subscribe((event: WorkEvent) => console.log(event.type));
    for (const { kind, actions } of await project.needsYou()) console.log(kind, actions[0]?.label);
  } catch (error) {
    if (error instanceof LoopwrightError) return error.kind;
  }
  // @ts-expect-error -- there is no such use case
  await project.fly();
  return PROBLEM_KINDS[0];
}

export const workflow = defineWorkflow({
  nodes: {
    Main: {
      entry_block: 'Work',
      blocks: { Work: { worker: 'W', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }] } },
    },
  },
});
export const names: [NodeOf<typeof workflow>, BlockOf<typeof workflow>, SignalOf<typeof workflow>] = [
  'Main',
  'Main__Work',
  'SIGNAL:SUCCESS',
];

export async function useEngine(): Promise<string> {
  const orchestrator = new Orchestrator(workflow, {
    workers: { W: (context, run) => pass(context, run, segment('NOTE', [1, { two: null }])) },
  });
  // @ts-expect-error -- there is no such node
  await orchestrator.execute('Mian');
  const { status } = await orchestrator.execute('Main', { goal: 'x' });
  return status;
}

export function useRunners(cwd: string): (AgentRunner | HeadlessRunner)[] {
  const adapter = new AdapterRegistry().create('scripted', { name: 'scripted', cwd });
  // @ts-expect-error -- it needs an adapter
  const wrong = new AgentRunner({ cwd });
  return [wrong, new AgentRunner({ adapter, cwd }), new HeadlessRunner({ adapter, cwd, timeoutMs: 1000 })];
}

export function useContract(line: string): string {
  const event = eventShape.parse(JSON.parse(line));
  const { apiVersion } = documents.sessions.parse(JSON.parse(line));
  return `${event.type} ${apiVersion} ${Object.keys(manifestSchema).length}`;
}
