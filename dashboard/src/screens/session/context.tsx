import type { ReactElement } from 'react';
import type { ReplyOf } from '../../../../src/api/routes/routes.ts';
import { bytes } from '../../../../src/kernel/words.ts';
import { CopyButton } from '../../parts/command.tsx';

import { SegmentView } from './segment.tsx';

type Context = ReplyOf<'stepContext'>;
type Layers = Context['layers'];

const NAMES: readonly (readonly [keyof Layers, string])[] = [
  ['execution_payload', 'Execution payload'],
  ['contract', 'Contract'],
  ['inherited_context', 'Inherited context'],
  ['primary_artifact', 'Primary artifact'],
  ['system_metadata', 'System metadata'],
];

/** The five layers in the order of their weight, and the prompt as it was sent. */
export function ContextView({ context: { layers, prompts } }: { readonly context: Context }): ReactElement {
  return (
    <div className="layers">
      {NAMES.map(([key, name], index) => {
        const layer = layers[key];
        return (
          <details key={key} open={index === 0}>
            <summary>
              <span className="grow">
                {index + 1} {name}
              </span>
              <span className="quiet">
                {sizeOf(layer.value)}
                {typeof layer['exact'] === 'boolean' && !layer['exact'] ? ' · reconstructed' : ''}
              </span>
            </summary>
            <LayerValue value={layer.value} />
          </details>
        );
      })}
      {prompts.map(({ task, text }) => (
        <details key={`${task} ${text.length}`}>
          <summary>
            <span className="grow">Prompt as sent{prompts.length > 1 ? ` to ${task}` : ''}</span>
            <span className="quiet">{bytes(text.length)}</span>
            <CopyButton text={text} label="Copy the prompt" />
          </summary>
          <pre>{text}</pre>
        </details>
      ))}
    </div>
  );
}

function sizeOf(value: unknown): string {
  const size = bytes(JSON.stringify(value ?? null).length);
  return Array.isArray(value)
    ? `${value.length} ${value.length === 1 ? 'segment' : 'segments'}, ${size}`
    : size;
}

function LayerValue({ value }: { readonly value: unknown }): ReactElement {
  if (Array.isArray(value)) {
    if (value.length === 0) return <p className="quiet">Empty.</p>;
    return (
      <>
        {value.map((one: unknown, index) =>
          isSegment(one) ? (
            <SegmentView key={one.id} segment={one} />
          ) : (
            // What has no id is never reordered.
            <pre key={index}>{JSON.stringify(one, null, 2)}</pre>
          ),
        )}
      </>
    );
  }
  if (typeof value === 'string') return <pre>{value}</pre>;
  if (value === null || value === undefined) return <p className="quiet">Empty.</p>;
  return (
    <dl className="why">
      {Object.entries(value).map(([key, part]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            {typeof part === 'string' ? (
              <pre>{part}</pre>
            ) : (
              <pre className="mono">{JSON.stringify(part, null, 2)}</pre>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isSegment(
  value: unknown,
): value is { readonly id: string; readonly type: string; readonly content: never } {
  return (
    typeof value === 'object' && value !== null && 'id' in value && 'type' in value && 'content' in value
  );
}
