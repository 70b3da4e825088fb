import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** quiet: no box until pointed at. ink: the one main action. stop: a needle square before the word. */
  look?: 'default' | 'quiet' | 'ink' | 'stop';
  /** Heights 24, 28 and 32 px. */
  size?: 'small' | 'normal' | 'big';
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

const lookClass = { default: '', quiet: ' quiet', ink: ' ink', stop: ' stop' };
const sizeClass = { small: ' sm', normal: '', big: ' big' };

/** A button with words. Icons inside take the class `i s`. Say beside it why, where it is disabled. */
export function Button({
  look = 'default',
  size = 'normal',
  className = '',
  type = 'button',
  ...rest
}: ButtonProps) {
  return <button type={type} className={`bt${lookClass[look]}${sizeClass[size]} ${className}`} {...rest} />;
}
