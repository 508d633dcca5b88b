/** How loud a stream is. */
export class Level {
  #context: AudioContext;
  #analyser: AnalyserNode;
  #samples: Float32Array<ArrayBuffer>;

  constructor(stream: MediaStream) {
    this.#context = new AudioContext();
    this.#analyser = this.#context.createAnalyser();
    this.#analyser.fftSize = 1024;
    this.#samples = new Float32Array(this.#analyser.fftSize);
    this.#context.createMediaStreamSource(new MediaStream(stream.getAudioTracks())).connect(this.#analyser);
    void this.#context.resume();
  }

  /** From 0 to 1; a quiet voice is about 0.2, on a scale that follows the ear. */
  read(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let sum = 0;
    for (const sample of this.#samples) sum += sample * sample;
    const decibels = 20 * Math.log10(Math.sqrt(sum / this.#samples.length) + 1e-6);
    return Math.min(Math.max((decibels + 60) / 55, 0), 1);
  }

  /** Browsers keep silent until the page was touched. */
  wake(): void {
    if (this.#context.state === 'suspended') void this.#context.resume();
  }

  close(): void {
    void this.#context.close();
  }
}
