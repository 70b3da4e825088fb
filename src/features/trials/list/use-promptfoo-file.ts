import { useEffect, useState } from 'react';

import type { PromptfooResult } from '../../../trials/files/promptfoo/parse-promptfoo-config.ts';
import { createScriptUrl } from '../../../ui/app-script-url.ts';
import type { PromptfooRequest } from './promptfoo-worker.ts';
import { default as workerAddress } from './promptfoo-worker.ts?worker&url';

/** Reads a configuration with these files in a worker; returns undefined while reading. */
export function usePromptfooFile(config: File, files: readonly File[]): PromptfooResult | undefined {
  const [latest, setLatest] = useState<{ request: PromptfooRequest; result: PromptfooResult }>();
  useEffect(() => {
    const request = { config, files };
    const worker = new Worker(createScriptUrl(workerAddress), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<PromptfooResult>) =>
      setLatest({ request, result: data }),
    );
    worker.addEventListener('error', () =>
      setLatest({ request, result: { ok: false, reason: 'Reading stopped unexpectedly.' } }),
    );
    worker.postMessage(request);
    return () => worker.terminate();
  }, [config, files]);
  return latest?.request.config === config && latest.request.files === files ? latest.result : undefined;
}
