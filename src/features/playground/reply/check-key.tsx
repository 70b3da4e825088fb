import { useState } from 'react';

import { GatewayError } from '../../../gateway/errors/errors.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useModels } from '../../models/use-models.ts';

/** Asks the gateway for its models: that takes the key and spends nothing. Says how it went, and where the key is set. */
export function CheckKey() {
  const { isFetching, refetch } = useModels();
  const [found, setFound] = useState('');
  const check = async () => {
    setFound('');
    const { error } = await refetch();
    setFound(foundWords(error));
  };
  return (
    <>
      <Button size="small" aria-disabled={isFetching} onClick={() => void check()}>
        {isFetching ? 'Checking' : 'Check again'}
      </Button>
      <Button size="small" look="quiet" popoverTarget="gateway-details">
        How to set the key
      </Button>
      <span role="status" className="mut">
        {found}
      </span>
    </>
  );
}

function foundWords(error: Error | null): string {
  if (!error) return 'The key works: models loaded.';
  const isRejected = error instanceof GatewayError && error.report.kind === 'key-rejected';
  return isRejected ? 'The key is still not accepted.' : error.message;
}
