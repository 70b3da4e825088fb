import { CircleAlert, Info, X } from 'lucide-react';

import { IconButton } from '../controls/icon-button.tsx';

import '../notice.css';

interface NoticeStripProps {
  tone: 'note' | 'problem';
  text: string;
  onClose: () => void;
}

/** A sentence across the top of what it is about, until it is put away. */
export function NoticeStrip({ tone, text, onClose }: NoticeStripProps) {
  const Icon = tone === 'problem' ? CircleAlert : Info;
  return (
    <div className={`notice ${tone}`} role={tone === 'problem' ? 'alert' : 'status'}>
      <Icon className="i s" aria-hidden />
      <p>{text}</p>
      <IconButton size="small" label="Dismiss" onClick={onClose}>
        <X className="i s" aria-hidden />
      </IconButton>
    </div>
  );
}
