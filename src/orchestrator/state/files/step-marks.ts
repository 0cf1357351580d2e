import { contentText } from '../../../manifest/segment.ts';
import type { JournalRecord } from '../record.ts';

/** Something that happened to a session between two of its steps. */
export interface Mark {
  readonly kind: 'owner' | 'continued' | 'rewound' | 'manifest' | 'delivery' | 'status';
  /** How many rows were there before it. */
  readonly after: number;
  readonly at: number;
  readonly what: string;
  /** What a person said with it. */
  readonly said?: string;
  readonly epoch?: number;
}

export function markOf(record: JournalRecord, after: number): Mark | undefined {
  switch (record.t) {
    case 'claimed': {
      const { epoch, owner, at } = record;
      return { kind: 'owner', after, at, what: `process ${owner.pid} on ${owner.host}`, epoch };
    }
    case 'continued': {
      const said = [...record.added.map((segment) => contentText(segment)), record.answer ?? ''];
      const words = said.filter((text) => text !== '').join('\n');
      const mark = { kind: 'continued', after, at: record.at, what: record.how } as const;
      return words === '' ? mark : { ...mark, said: words };
    }
    case 'rewound':
      return { kind: 'rewound', after, at: record.at, what: record.halt.message };
    case 'manifest':
      return { kind: 'manifest', after, at: record.at, what: record.digest };
    case 'delivery':
      return { kind: 'delivery', after, at: record.delivery.at, what: record.delivery.kind };
    case 'status':
      return { kind: 'status', after, at: record.at, what: record.change.to };
    case 'step':
      return record.status ? { kind: 'status', after, at: record.at, what: record.status.to } : undefined;
    default:
      return undefined;
  }
}
