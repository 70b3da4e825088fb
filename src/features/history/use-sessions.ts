import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';

import { usePlayground, useSessionState } from '../../state/react.tsx';

/** The stored sessions, newest first; read again whenever one of them changed, also by a run that ends. */
export function useSessions() {
  const { library, recorder } = usePlayground();
  const changes = useStore(library.changes, (state) => state.count);
  const stamps = useSessionState((state) =>
    Object.values(state.open)
      .map(({ session }) => `${session.id} ${session.updatedAt} ${session.title}`)
      .join('\n'),
  );
  return useQuery({
    queryKey: ['sessions', changes, stamps],
    queryFn: async () => {
      await recorder.flush();
      return library.list();
    },
    placeholderData: keepPreviousData,
    // Another tab may have written since; what an old key held is of no use to anyone.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
