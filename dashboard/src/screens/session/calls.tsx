import type { ReactElement } from 'react';
import { CallList } from '../calls/call-list.tsx';
import type { TabProps } from './page.ts';

export default function Calls({ session: { id } }: TabProps): ReactElement {
  return <CallList session={id} />;
}
