import { clsx } from 'clsx';

import { IconButton } from '../controls/icon-button.tsx';
import { CircleAlert, X } from '../icons.tsx';
import { Info } from '../late-icons.tsx';

interface NoticeStripProps {
  severity: 'note' | 'problem';
  text: string;
  onClose: () => void;
}

/** A message across the top of the area to which it refers, shown until dismissed. */
export function NoticeStrip({ severity, text, onClose }: NoticeStripProps) {
  const Icon = severity === 'problem' ? CircleAlert : Info;
  return (
    <div
      className={clsx(
        'flex flex-none items-start gap-2 border-b border-line py-1.25 pr-2.5 pl-4 font-sans text-12',
        severity === 'problem' ? 'bg-err-wash text-ink' : 'bg-raised text-ink-2',
      )}
      role={severity === 'problem' ? 'alert' : 'status'}
    >
      <Icon
        className={clsx('mt-1.25 icon-14', severity === 'problem' ? 'text-err-ink' : 'text-ink-3')}
        aria-hidden
      />
      <p className="min-w-0 flex-1 py-1 wrap-anywhere">{text}</p>
      <IconButton size="small" label="Dismiss" onClick={onClose}>
        <X className="icon-14" aria-hidden />
      </IconButton>
    </div>
  );
}
