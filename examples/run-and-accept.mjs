// Runs a goal in a project, shows every step, and accepts the result once it is proven.
// node run-and-accept.mjs <folder of the project> <goal> [agent]
import { LoopwrightError, openProject } from 'loopwright';

const [dir, goal, agent] = process.argv.slice(2);
const project = openProject(dir);

try {
  await project.trust(); // whoever starts this names the folder: that is the person's word
  const run = await project.run(goal, agent ? { agent } : {});
  console.log(`session ${run.id}`);
  for await (const event of run.events) {
    if (event.type === 'step.finished') console.log(`${event.entry.block}  ${event.entry.signal}`);
    if (event.type === 'task.interaction') console.log(`${event.task} asks: ${event.question}`);
  }
  const end = await run.ended;
  if (end.status === 'completed') {
    const { files } = await project.diff(run.id);
    for (const file of files) console.log(`${file.kind}  ${file.path}`);
    const { kind, base } = await project.accept(run.id);
    console.log(`${kind} on ${base}`);
  } else {
    console.log(`${end.status}: ${end.halt?.message ?? end.failure?.message ?? ''}`);
    for (const action of end.actions) console.log(`  ${action.id}  ${action.label}`);
    process.exitCode = 2;
  }
} catch (error) {
  if (!(error instanceof LoopwrightError)) throw error;
  console.error(`${error.kind}: ${error.message} ${error.next?.label ?? ''}`);
  process.exitCode = 1;
}
