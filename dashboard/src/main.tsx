import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { call, Refused } from './api/call.ts';
import { forgetProof, logIn } from './api/proof.ts';
import { App } from './app.tsx';
import { MeContext } from './frame/me.ts';
import { LiveFeed } from './live/feed.ts';
import { FeedContext } from './live/use-live.ts';
import { LoggedOut } from './screens/logged-out.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import './style/inbox.css';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What changes is told; nothing is asked for by the clock.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: (tries, error) => tries < 2 && error instanceof Refused && error.code === 'unreachable',
    },
  },
});

async function start(): Promise<void> {
  const element = document.querySelector('#app');
  if (!element) return;
  const root = createRoot(element);
  const refused = await logIn();
  const me = refused === undefined ? await call('me').catch((error: Error) => error) : new Error(refused);
  if (me instanceof Error) {
    if (me instanceof Refused && me.code === 'unauthorised') forgetProof();
    root.render(<LoggedOut problem={me.message} />);
    return;
  }
  const feed = new LiveFeed(queries);
  feed.open();
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <MeContext value={me}>
          <FeedContext value={feed}>
            <App />
          </FeedContext>
        </MeContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
