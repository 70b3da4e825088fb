import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { GatewayError } from '../gateway/errors/errors.ts';
import type { Playground } from '../state/create-playground.ts';
import { PlaygroundProvider } from '../state/use-playground.tsx';

/** A second try helps where nothing answered; what was answered would be answered again. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof GatewayError && error.report.status === undefined;
}

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The proxy is on this machine as a rule: being offline does not cut it off.
        networkMode: 'always',
        retry: isWorthRetrying,
        gcTime: Number.POSITIVE_INFINITY,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** What every screen stands in. */
export function Providers({ playground, children }: { playground: Playground; children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return (
    <QueryClientProvider client={client}>
      <PlaygroundProvider playground={playground}>{children}</PlaygroundProvider>
    </QueryClientProvider>
  );
}
