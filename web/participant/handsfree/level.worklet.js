// Runs beside the page's own code, as browsers demand of audio processors: posts the level of each 20 ms of sound, in decibels below full scale.
class Level extends AudioWorkletProcessor {
  #sum = 0;
  #count = 0;
  #before = 0;

  process([input]) {
    for (const sample of input[0] ?? []) {
      const treble = sample - 0.95 * this.#before; // without hum and rumble
      this.#before = sample;
      this.#sum += treble * treble;
      if (++this.#count < sampleRate / 50) continue;
      this.port.postMessage(10 * Math.log10(this.#sum / this.#count + 1e-10));
      this.#sum = this.#count = 0;
    }
    return true;
  }
}

registerProcessor('level', Level);
