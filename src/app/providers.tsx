import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { GatewayError } from '../gateway/errors/errors.ts';
import { PlaygroundProvider } from '../state/contexts.tsx';
import type { Playground } from '../state/create-playground.ts';

/** Retries only requests without a response; a request that got one would get the same response again. */
function shouldRetry(failureCount: number, error: Error): boolean {
  return failureCount < 1 && error instanceof GatewayError && error.report.status === undefined;
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The proxy usually runs on this machine, so it is reachable offline.
        networkMode: 'always',
        retry: shouldRetry,
        gcTime: Number.POSITIVE_INFINITY,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Provides the contexts that every screen needs. */
export function Providers({ playground, children }: { playground: Playground; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    // Its style elements would violate the content security policy; `ui/base.css` has their rules.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <PlaygroundProvider playground={playground}>{children}</PlaygroundProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
