package guidemedia

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"

	scaling "golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// The largest image that is kept. What is wider or has more pixels is made smaller.
const (
	maxWidth      = 1920
	maxHeight     = 8000
	maxKeptPixels = 8e6
)

// maxMemory limits what decoding an image may take, in bytes, by what its header says.
const maxMemory = 256 << 20

// jpegQuality is that of images that are encoded again.
const jpegQuality = 86

// largePNG is the size in bytes above which an opaque PNG becomes a JPEG if that is smaller: it is a photograph.
const largePNG = 1 << 20

// Picture is an image as it is stored.
type Picture struct {
	File          string
	Content       []byte
	Width, Height int
}

const broken Problem = "The image is damaged."

// PreparePicture decodes an image, turns it as it was taken, makes it smaller where it is larger than pages need, and encodes it again. The error
// is a Problem.
func PreparePicture(content []byte) (Picture, error) {
	switch {
	case bytes.HasPrefix(content, []byte("GIF8")):
		return prepareGIF(content)
	case bytes.HasPrefix(content, []byte("\xff\xd8")):
		facts := readJPEG(content)
		perPixel := 4
		if facts.progressive { // its coefficients are kept until the end, four bytes each
			perPixel = 15
		}
		header, err := jpeg.DecodeConfig(bytes.NewReader(content))
		if err := checkSize(header, perPixel, err); err != nil {
			return Picture{}, err
		}
		img, err := jpeg.Decode(bytes.NewReader(content))
		if err != nil {
			return Picture{}, broken
		}
		return encodePicture(turn(shrink(img), facts.orientation), false)
	case isWebP(content):
		header, err := webp.DecodeConfig(bytes.NewReader(content))
		if err := checkSize(header, 9, err); err != nil {
			return Picture{}, err
		}
		img, err := webp.Decode(bytes.NewReader(content))
		if err != nil {
			return Picture{}, broken
		}
		small := shrink(img)
		return encodePicture(small, !small.Opaque())
	}
	header, err := png.DecodeConfig(bytes.NewReader(content))
	if err := checkSize(header, 9, err); err != nil {
		return Picture{}, err
	}
	img, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		return Picture{}, broken
	}
	return encodePicture(shrink(img), true)
}

// checkSize refuses an image that would take too much memory, before anything of it is decoded. err is that of reading the header.
func checkSize(header image.Config, perPixel int, err error) error {
	pixels := int64(header.Width) * int64(header.Height)
	switch {
	case err != nil || pixels <= 0:
		return broken
	case pixels*int64(perPixel) > maxMemory:
		return Problem(fmt.Sprintf("The image has %d megapixels, which is more than a page shows; at most %d are taken of its kind. Make it smaller.", (pixels+500_000)/1_000_000, maxMemory/int64(perPixel)/1_000_000))
	}
	return nil
}

// shrink returns an image no larger than what is kept.
func shrink(img image.Image) *image.RGBA {
	size := img.Bounds().Size()
	w, h := float64(size.X), float64(size.Y)
	factor := min(1, maxWidth/w, maxHeight/h, math.Sqrt(maxKeptPixels/(w*h)))
	to := image.Pt(max(1, int(math.Round(w*factor))), max(1, int(math.Round(h*factor))))
	small := averaged(img, max(1, min(size.X/to.X, size.Y/to.Y)))
	if small.Bounds().Size() == to {
		return small
	}
	scaled := image.NewRGBA(image.Rectangle{Max: to})
	scaling.ApproxBiLinear.Scale(scaled, scaled.Bounds(), small, small.Bounds(), scaling.Src, nil)
	return scaled
}

// averaged returns an image n times as small, each pixel the mean of n times n. It holds n rows of the image at a time.
func averaged(img image.Image, n int) *image.RGBA {
	bounds := img.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, bounds.Dx()/n, bounds.Dy()/n))
	if n == 1 {
		draw.Draw(small, small.Bounds(), img, bounds.Min, draw.Src)
		return small
	}
	rows := image.NewRGBA(image.Rect(0, 0, small.Bounds().Dx()*n, n))
	for y := range small.Bounds().Dy() {
		draw.Draw(rows, rows.Bounds(), img, image.Pt(bounds.Min.X, bounds.Min.Y+y*n), draw.Src)
		for x := range small.Bounds().Dx() {
			var sum [4]int
			for dy := range n {
				from := rows.PixOffset(x*n, dy)
				for i, value := range rows.Pix[from : from+4*n] {
					sum[i%4] += int(value)
				}
			}
			to := small.PixOffset(x, y)
			for i, total := range sum {
				small.Pix[to+i] = uint8(total / (n * n))
			}
		}
	}
	return small
}

// turn returns an image as its EXIF orientation says it was taken.
func turn(img *image.RGBA, orientation int) *image.RGBA {
	if orientation <= 1 {
		return img
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	size := image.Pt(w, h)
	if orientation >= 5 {
		size = image.Pt(h, w)
	}
	turned := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			fromX, fromY := x, y
			switch orientation {
			case 2:
				fromX = w - 1 - x
			case 3:
				fromX, fromY = w-1-x, h-1-y
			case 4:
				fromY = h - 1 - y
			case 5:
				fromX, fromY = y, x
			case 6:
				fromX, fromY = y, h-1-x
			case 7:
				fromX, fromY = w-1-y, h-1-x
			case 8:
				fromX, fromY = w-1-y, x
			}
			from, to := img.PixOffset(fromX, fromY), turned.PixOffset(x, y)
			copy(turned.Pix[to:to+4], img.Pix[from:from+4])
		}
	}
	return turned
}

// encodePicture encodes an image, without loss where it may have to be.
func encodePicture(img *image.RGBA, lossless bool) (Picture, error) {
	made := Picture{File: JPEG, Width: img.Bounds().Dx(), Height: img.Bounds().Dy()}
	var photo, exact bytes.Buffer
	if lossless {
		if err := png.Encode(&exact, img); err != nil {
			return Picture{}, err
		}
		made.File, made.Content = PNG, exact.Bytes()
		if exact.Len() < largePNG || !img.Opaque() {
			return made, nil
		}
	}
	if err := jpeg.Encode(&photo, img, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return Picture{}, err
	}
	if !lossless || photo.Len() < exact.Len()/2 {
		made.File, made.Content = JPEG, photo.Bytes()
	}
	return made, nil
}

// prepareGIF keeps the frames of an animation as they are, and makes a PNG of a single one.
func prepareGIF(content []byte) (Picture, error) {
	header, err := gif.DecodeConfig(bytes.NewReader(content))
	if err := checkSize(header, 4, err); err != nil {
		return Picture{}, err
	}
	frames, pixels := countGIF(content)
	if pixels > maxMemory/4 {
		return Picture{}, Problem("The animation is too large. Upload it as a film.")
	}
	if frames <= 1 {
		img, err := gif.Decode(bytes.NewReader(content))
		if err != nil {
			return Picture{}, broken
		}
		return encodePicture(shrink(img), true)
	}
	all, err := gif.DecodeAll(bytes.NewReader(content))
	if err != nil {
		return Picture{}, broken
	}
	all.Config.ColorModel = color.Palette(nil) // frames have their own
	var made bytes.Buffer
	if err := gif.EncodeAll(&made, all); err != nil {
		return Picture{}, broken
	}
	return Picture{File: GIF, Content: made.Bytes(), Width: header.Width, Height: header.Height}, nil
}
