import { FitAddon } from '@xterm/addon-fit'
import { Terminal, type ITheme } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { copyText } from '../../ui/runtime/clipboard.ts'

/** Dark in both themes: programs choose their colors for a dark screen. */
const THEME: ITheme = {
  background: '#0f1218',
  foreground: '#dfe3ea',
  cursor: '#9db2ff',
  selectionBackground: '#33405f',
}
const SCROLL_BACK_LINES = 5_000

export interface OpenTerminal {
  readonly terminal: Terminal
  readonly close: () => void
}

/** Opens a terminal that fills its element and releases the keyboard on Shift+Escape. */
export function openTerminal(place: HTMLElement, onLeave: () => void): OpenTerminal {
  const terminal = new Terminal({
    theme: THEME,
    fontFamily: "'JetBrains Mono', ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    fontSize: 13,
    lineHeight: 1.2,
    scrollback: SCROLL_BACK_LINES,
    screenReaderMode: true,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(place)
  fit.fit()
  terminal.attachCustomKeyEventHandler((event) => passes(event, terminal, onLeave))
  const resized = new ResizeObserver(() => fit.fit())
  resized.observe(place)
  return {
    terminal,
    close: () => {
      resized.disconnect()
      terminal.dispose()
    },
  }
}

/** False keeps a key from the router. */
function passes(event: KeyboardEvent, terminal: Terminal, onLeave: () => void): boolean {
  if (event.type !== 'keydown') return true
  if (event.key === 'Escape' && event.shiftKey) {
    // The keyboard must never be trapped (WCAG 2.1.2), and a terminal takes Tab and Escape for itself.
    event.preventDefault()
    onLeave()
    return false
  }
  if (!event.ctrlKey || !event.shiftKey) return true
  if (event.code === 'KeyC' && terminal.hasSelection()) {
    event.preventDefault()
    void copyText(terminal.getSelection())
    return false
  }
  return event.code !== 'KeyV'
}
