/* Where pages are opened as files a browser starts no Worker, and the search is one: run it in a frame. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      const page = frame.contentDocument;
      this.inside.postMessage = (data) => {
        const told = new MessageEvent("message", { data });
        this.dispatchEvent(told);
        if (this.onmessage) this.onmessage(told);
      };
      this.inside.importScripts = (...urls) =>
        urls.reduce((before, one) => before.then(() => this.load(page, one)), Promise.resolve());
      this.ready = this.load(page, url);
    }
    load(page, url) {
      return new Promise((loaded) => {
        const script = page.createElement("script");
        script.onload = loaded;
        script.src = url;
        page.body.append(script);
      });
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
