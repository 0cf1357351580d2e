import { MASK } from '../../kernel/mask.ts';
import { contentText } from '../../manifest/segment.ts';
import { type Worker, type WorkerContext, wholeInstructions } from '../../manifest/worker.ts';
import type { ProcessOutcome } from '../../process/outcome.ts';
import { answer, failed } from '../answer.ts';
import { WRITE_TYPES } from '../file-writer/write-requests.ts';
import { explainEnd, runCommand, shownCommand } from '../run-command.ts';
import type { WorkerServices } from '../services.ts';
import { inWorktree } from '../step.ts';
import { type Reply, readReply } from './reply.ts';

const END_OF_ERRORS = 4000;

/** A worker that is any executable: the context as JSON on its standard input, its reply on standard output. */
export function program(argv: readonly string[], services: WorkerServices, persona?: string): Worker {
  const name = shownCommand(argv);
  return {
    kind: 'program',
    ...(persona === undefined ? {} : { persona }),
    run: inWorktree(services, `\`${name}\``, async (step) => {
      const { context, run } = step;
      const input = `${JSON.stringify(layers(context))}\n`;
      const outcome = await runCommand(step, {
        kind: 'program',
        argv,
        input,
        streams: 'separate',
      });
      if (outcome.kind !== 'exited' || outcome.code !== 0)
        return failed(context, run, whyFailed(argv, outcome));
      const { output } = outcome;
      if (output.truncated) {
        return failed(
          context,
          run,
          `\`${name}\` printed ${output.bytes} bytes, too much for a reply.\n${output.text.slice(-END_OF_ERRORS)}`,
        );
      }
      const reply = readReply(output.text, services.masker, {
        ...context.contract.reply,
        structured: true,
        kind: 'program',
      });
      if ('problem' in reply)
        return failed(context, run, `The reply of \`${name}\` cannot be used: ${reply.problem}.`);
      if (reply.usage) run.usage(reply.usage);
      if ((output.masked || reply.masked) && reply.segments.some(holdsMaskedFile)) {
        return failed(
          context,
          run,
          `\`${name}\` put a secret into a file. It was masked, and a file with stars in it is not written.`,
        );
      }
      return answer(reply.signal, context, run, ...reply.segments);
    }),
  };
}

function layers(context: WorkerContext) {
  const { execution_payload, contract, inherited_context, primary_artifact, system_metadata } = context;
  const instructions = wholeInstructions(contract);
  const told = instructions === undefined ? contract : { ...contract, instructions };
  return { execution_payload, contract: told, inherited_context, primary_artifact, system_metadata };
}

function holdsMaskedFile(segment: Reply['segments'][number]): boolean {
  return WRITE_TYPES.includes(segment.type) && contentText({ id: '', ...segment }).includes(MASK);
}

function whyFailed(argv: readonly string[], outcome: ProcessOutcome): string {
  const said = outcome.errors.text.trim() === '' ? outcome.output.text : outcome.errors.text;
  const end = said.trim().slice(-END_OF_ERRORS);
  const next =
    outcome.kind === 'not-started'
      ? 'install it, or correct its "command" in the roster.'
      : 'read what it said, or run this block again.';
  return explainEnd(argv, outcome, next) + (end === '' ? '' : `\nIt said:\n${end}`);
}
