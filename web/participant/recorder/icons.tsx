const paths = {
  microphone: 'M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M8.5 21h7',
  camera: 'M4 6.5h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM15 10.5l6-3v9l-6-3',
  screen: 'M3.5 4.5h17v11h-17zM8.5 20h7M12 15.5V20',
};

export function Icon({ name }: { name: keyof typeof paths }) {
  return <svg class="rec-icon" viewBox="0 0 24 24" aria-hidden="true"><path d={paths[name]} /></svg>;
}
