import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { GatewayError } from '../gateway/errors/errors.ts';
import type { Playground } from '../state/create-playground.ts';
import { PlaygroundProvider } from '../state/use-playground.tsx';

/** A second try helps where nothing answered; what was answered would be answered again. */
function shouldRetry(failureCount: number, error: Error): boolean {
  return failureCount < 1 && error instanceof GatewayError && error.report.status === undefined;
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The proxy is on this machine as a rule: being offline does not cut it off.
        networkMode: 'always',
        retry: shouldRetry,
        gcTime: Number.POSITIVE_INFINITY,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** What every screen stands in. */
export function Providers({ playground, children }: { playground: Playground; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <PlaygroundProvider playground={playground}>{children}</PlaygroundProvider>
    </QueryClientProvider>
  );
}
